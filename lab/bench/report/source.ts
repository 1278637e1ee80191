import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What was measured. */
export type Source = {
  /** Short hash of the commit; `unknown` outside a repository. */
  commit: string;
  /** The tree had changes beside those that a run itself writes. */
  dirty: boolean;
};

const WRITTEN_BY_A_RUN = ['lab/bench/results', 'docs/performance.md'].map(
  (path) => `:(top,exclude)${path}`,
);

/** The commit of the repository that has this folder. */
export async function sourceOf(bench: string): Promise<Source> {
  const folder = await realpath(bench);
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', ['-C', folder, ...args])).stdout.trim();
  try {
    const commit = await git('rev-parse', '--short', 'HEAD');
    const status = ['status', '--porcelain', '--', ':/', ...WRITTEN_BY_A_RUN];
    return { commit, dirty: (await git(...status)) !== '' };
  } catch {
    return { commit: 'unknown', dirty: true };
  }
}
