import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oncePerRun } from './cluster.js';
import { runFolder } from './run-folder.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const VITE = path.join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');

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
    await run(process.execPath, [
      ...[VITE, 'build', '--logLevel', 'warn', '--outDir', node],
      ROOT,
    ]);
  });
  return path.join(node, 'main.js');
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
  const args = [VITE, 'build', 'admin-ui', '--outDir', folder, '--emptyOutDir'];
  await oncePerRun('dashboard', () =>
    run(process.execPath, args, { cwd: ROOT }),
  );
  return folder;
}
