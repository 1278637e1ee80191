import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oncePerRun } from '../support/cluster.js';
import { runFolder } from '../support/run-folder.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export type FormerRelease = { version: string; commit: string };

export async function formerRelease(): Promise<FormerRelease> {
  const text = await readFile(path.join(ROOT, 'CHANGELOG.md'), 'utf8');
  const named = /^## (\d+\.\d+\.\d+) \([\d-]+, `([0-9a-f]{7,40})`\)$/m;
  const [, version = '', commit = ''] = named.exec(text) ?? [];
  if (version !== '') return { version, commit };
  throw new Error('CHANGELOG.md names no release with its commit');
}

/**
 * The start of a node of that release, built from the history of this checkout
 * with the packages of today, once for all tests of a run.
 *
 * @param repository where the history is; another one in the test of refusals
 * @throws Error where the history does not have the commit.
 */
export async function formerMain(repository = ROOT): Promise<string> {
  const { version, commit } = await formerRelease();
  const folder = path.join(runFolder(), `release-${version}`);
  const archive = `${folder}.tar`;
  const inHistory = ['-C', repository, 'archive', '-o', archive, commit];
  await run('git', inHistory).catch((error: { stderr?: string }) => {
    throw new Error(
      `Release ${version} is built from commit ${commit}, which the history here does not have (a shallow clone, or a folder without .git); run "git fetch --unshallow" or use a full clone. git said: ${error.stderr?.trim()}`,
    );
  });
  await oncePerRun(`release ${version}`, async () => {
    await mkdir(folder);
    await run('tar', ['-xf', archive, '-C', folder]);
    const packages = path.join(ROOT, 'node_modules');
    await symlink(packages, path.join(folder, 'node_modules'));
    const vite = path.join(packages, 'vite', 'bin', 'vite.js');
    const build = [vite, 'build', '--logLevel', 'warn'];
    await run(process.execPath, build, { cwd: folder });
  });
  return path.join(folder, 'dist', 'node', 'main.js');
}
