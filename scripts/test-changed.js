// Runs the tests that a change touches: `npm run test:changed` for what is not
// committed, `npm run test:changed -- main` for what a branch has beside it.
// A test is touched when it, a file that it loads, or a file of the folder with
// its name changed. Whole boards load everything, so nothing is followed
// through them.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const THROUGH = /^(?:server\/(?:board|app|main|context)\.ts|test\/support\/)/;
const git = (...words) =>
  execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);

const base = process.argv[2] ? git('merge-base', process.argv[2], 'HEAD') : [];
const changed = [
  ...git('diff', '--name-only', '--relative', base[0] ?? 'HEAD'),
  ...git('ls-files', '--others', '--exclude-standard'),
].filter((file) => /\.tsx?$/.test(file));
const files = [...git('ls-files'), ...changed].filter(
  (file) => /\.tsx?$/.test(file) && existsSync(file),
);

/** Who imports each file. */
const importers = new Map();
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const target = path.join(path.dirname(file), name).replace(/\.jsx?$/, '');
    for (const ending of ['.ts', '.tsx']) {
      const found = importers.get(target + ending) ?? [];
      importers.set(target + ending, [...found, file]);
    }
  }
}

const reached = new Set(changed);
for (const file of reached) {
  if (THROUGH.test(file) && !changed.includes(file)) continue;
  for (const importer of importers.get(file) ?? []) reached.add(importer);
}
const folders = new Set(changed.map((file) => `${path.dirname(file)}/`));
const tests = files.filter(
  (file) =>
    file.endsWith('.test.ts') &&
    (reached.has(file) ||
      folders.has(`${path.dirname(file)}/`.replace(/^test\//, ''))),
);
console.log(`${changed.length} files changed, ${tests.length} files of tests`);
if (tests.length > 0) {
  const mocha = path.join('node_modules', 'mocha', 'bin', 'mocha.js');
  const all = [...new Set(tests)];
  const { status } = spawnSync(process.execPath, [mocha, ...all], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
