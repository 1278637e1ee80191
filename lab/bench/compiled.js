// Runs a bench as a node runs: compiled, because threads load no TypeScript.
// `node lab/bench/compiled.js mirror-ingest 100000`
import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a bench may load; of the tests only what these import. */
const COMPILED = ['lab/bench', 'client', 'mesh', 'protocol', 'server'];
const root = fileURLToPath(new URL('../../', import.meta.url));
const [name = '', ...args] = process.argv.slice(2);
const folder = mkdtempSync(path.join(os.tmpdir(), 'reserve-compiled-'));

function run(...command) {
  const options = { stdio: 'inherit', cwd: folder };
  return spawnSync(process.execPath, command, options).status ?? 1;
}

// Ctrl-C is for the bench, which ends in order; what it used is removed then.
process.on('SIGINT', () => {});
try {
  // What modules read beside themselves stays where it is.
  for (const entry of readdirSync(root)) {
    if (entry === 'dist' || entry.startsWith('.')) continue;
    symlinkSync(path.join(root, entry), path.join(folder, entry));
  }
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const out = path.join(folder, 'dist');
  const project = path.join(folder, 'tsconfig.bench.json');
  const settings = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: { rootDir: root, outDir: out },
    include: COMPILED.map((name) => path.join(root, name)),
    exclude: [path.join(root, '**/*.test.ts')],
  };
  writeFileSync(project, JSON.stringify(settings));
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const node = path.join(out, 'node');
  process.exitCode =
    run(compiler, '-p', project) ||
    run(vite, 'build', '--logLevel', 'warn', '--outDir', node, root) ||
    run(path.join(out, 'lab', 'bench', `${name}.js`), ...args);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
