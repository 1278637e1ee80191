import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

export type Source = {
  /** Short hash of the commit; `unknown` outside a repository. */
  commit: string;
  /** The tree had changes beside those that a run itself writes. */
  dirty: boolean;
};

const WRITTEN_BY_A_RUN = [
  ...['lab/bench/results', 'lab/reports', 'docs/performance.md', 'README.md'],
].map((path) => `:(top,exclude)${path}`);

export async function sourceOf(folder: string): Promise<Source> {
  const place = await realpath(folder);
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', ['-C', place, ...args])).stdout.trim();
  try {
    const commit = await git('rev-parse', '--short', 'HEAD');
    const status = ['status', '--porcelain', '--', ':/', ...WRITTEN_BY_A_RUN];
    return { commit, dirty: (await git(...status)) !== '' };
  } catch {
    return { commit: 'unknown', dirty: true };
  }
}

/** The same in a word, with `+` where the tree had changes. */
export async function commitOf(folder: string): Promise<string> {
  const { commit, dirty } = await sourceOf(folder);
  return dirty ? `${commit}+` : commit;
}
