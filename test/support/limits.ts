import type { LimitName } from '../../server/limits.js';
import type { TestBoard } from './board.js';
import { freshNetwork } from './fresh-network.js';

/**
 * Other limits on a board that runs, for a network that has spent nothing. What
 * a board reads at its start alone, sizes of pages for one, stays as it is.
 */
export async function withLimits(
  { board }: TestBoard,
  changed: Partial<Record<LimitName, number>>,
  work: (from: string) => Promise<void>,
): Promise<void> {
  const { limits } = board.context;
  const before = { ...limits };
  Object.assign(limits, changed);
  try {
    await work(freshNetwork());
  } finally {
    Object.assign(limits, before);
  }
}
