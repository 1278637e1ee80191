import type { EntityManager } from 'typeorm';
import type { Board } from '../../server/board.js';

/** By entity, so that a test of a column that is gone does not compile. */
export function rows({ board }: { board: Board }): EntityManager {
  return board.context.writes.manager;
}
