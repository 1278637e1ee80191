import type { Board } from '../../server/board.js';
import type { Channel } from '../../server/db/events.js';

/** Those who wait for a channel, or the places of long polls that are taken. */
export type Waits = Channel | 'places';

export function waitsIn(board: Board, what: Waits): number {
  const { events, readLimiter } = board.context;
  return what === 'places' ? readLimiter.taken('board') : events.waiters(what);
}
