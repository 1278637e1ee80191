import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const WRITTEN_BY_A_RUN = [':!lab/reports', ':!README.md'];

/** Short hash of the tree's commit, with `+` where the tree has changes of its own. */
export async function commitOf(root: string): Promise<string> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', ['-C', root, ...args])).stdout.trim();
  const commit = await git('rev-parse', '--short', 'HEAD');
  const status = ['status', '--porcelain', '--', '.', ...WRITTEN_BY_A_RUN];
  return (await git(...status)) === '' ? commit : `${commit}+`;
}
