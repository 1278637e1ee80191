import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oncePerRun } from './cluster.js';
import { runFolder } from './run-folder.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const VITE = path.join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
const KEPT = path.join(ROOT, 'node_modules', '.cache', 'test-builds');
const SOURCES = ['admin-ui', 'client', 'mesh', 'protocol', 'server'];

/** Of all that a build is made of; its maps tell the way from its folder. */
async function digest(folder: string): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  hash.update(path.relative(ROOT, path.join(runFolder(), '..')));
  hash.update(path.relative(runFolder(), folder));
  for (const root of ['.', ...SOURCES]) {
    const options = { recursive: root !== '.', withFileTypes: true } as const;
    const entries = await readdir(path.join(ROOT, root), options);
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name));
    for (const file of files.sort()) {
      hash.update(`\0${file}\0`).update(await readFile(file));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** A build of the sources of now; a later run of the same ones copies it. */
async function build(name: string, folder: string, root: string) {
  const kept = path.join(KEPT, `${name}-${await digest(folder)}`);
  const copy = (from: string, to: string) => cp(from, to, { recursive: true });
  if (await done(copy(kept, folder))) return;
  await run(process.execPath, [
    ...[VITE, 'build', root, '--logLevel', 'warn'],
    ...['--outDir', folder, '--emptyOutDir'],
  ]);
  const names = await readdir(KEPT).catch(() => []);
  const old = new RegExp(`^(?:${name}|draft)-`);
  for (const one of names.filter((it) => old.test(it))) {
    await done(rm(path.join(KEPT, one), { recursive: true }));
  }
  // By another name until it is whole: another run may look for it.
  const draft = path.join(KEPT, `draft-${path.basename(runFolder())}-${name}`);
  if (await done(copy(folder, draft).then(() => rename(draft, kept)))) return;
  await done(rm(draft, { recursive: true }));
}

/** Without it a run is slower, and nothing else. */
const done = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

/** Made once for a run: processes start four times as fast. */
export async function compiledMain(): Promise<string> {
  const folder = path.join(runFolder(), 'compiled');
  const node = path.join(folder, 'dist', 'node');
  await oncePerRun('compiled', async () => {
    await mkdir(folder);
    // What modules read beside themselves stays where it is.
    for (const entry of await readdir(ROOT)) {
      if (entry === 'dist' || entry.startsWith('.')) continue;
      await symlink(path.join(ROOT, entry), path.join(folder, entry));
    }
    await build('node', node, ROOT);
  });
  return path.join(node, 'main.js');
}

/** `reserve-board` as a command of this folder, for a shell. */
export async function boardProgram(folder: string): Promise<void> {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${await compiledMain()}' "$@"\n`;
  await writeFile(path.join(folder, 'reserve-board'), script, { mode: 0o755 });
}

/** The client as one file, which is built with the node. */
export async function compiledClient(): Promise<string> {
  const main = await compiledMain();
  return path.join(path.dirname(main), 'reserve-board.mjs');
}

/**
 * The folder of the dashboard, built once for all tests of a run from the
 * sources of now, by the tool itself in a process of its own: within a test
 * runner it builds something else.
 */
export async function builtDashboard(): Promise<string> {
  const folder = path.join(runFolder(), 'admin-ui');
  const root = path.join(ROOT, 'admin-ui');
  await oncePerRun('dashboard', () => build('dashboard', folder, root));
  return folder;
}
