import type { LimitName } from '../../server/limits.js';
import type { TestBoard } from './board.js';
import { freshNetwork } from './random.js';

/** For a new network; what a board reads at its start alone stays. */
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
