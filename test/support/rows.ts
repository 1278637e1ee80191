import type { EntityManager } from 'typeorm';
import type { Board } from '../../server/board.js';

/**
 * The rows of a board by entity, as `rows(test).findOneByOrFail(Message, { id })`:
 * a test that names a column that is gone does not compile.
 */
export function rows({ board }: { board: Board }): EntityManager {
  return board.context.writes.manager;
}
