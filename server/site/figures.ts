import type { Context } from '../context.js';
import type { RoomList } from '../reading/answers.js';
import type { Stats } from '../reading/discovery-answers.js';
import { roomList } from '../reading/rooms-view.js';
import { boardStats } from '../stats/board-stats-view.js';
import { ownLogSize } from './log-size.js';

const KEPT_MS = 1000;

/** What a page counts of the whole board. */
export type Figures = { rooms: RoomList; stats: Stats };

/**
 * Counts the board for its first page. Counting reads every vote and, once,
 * every message, so one count serves all readers of a second, as long as the
 * log does not grow.
 */
export function figures(ctx: Context): () => Promise<Figures> {
  let kept: Promise<Figures> | null = null;
  let keptSize = -1;
  let countedAt = 0;
  return async () => {
    const size = await ownLogSize(ctx);
    const fresh = performance.now() - countedAt < KEPT_MS;
    if (kept !== null && fresh && size === keptSize) return await kept;
    const counted = count(ctx);
    kept = counted;
    keptSize = size;
    countedAt = performance.now();
    try {
      return await counted;
    } catch (error) {
      if (kept === counted) kept = null;
      throw error;
    }
  };
}

async function count(ctx: Context): Promise<Figures> {
  const [rooms, stats] = await Promise.all([roomList(ctx), boardStats(ctx)]);
  return { rooms, stats };
}
