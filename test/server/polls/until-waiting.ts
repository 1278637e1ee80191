import type { TestBoard } from '../../support/board.js';
import { lockWaits } from '../../support/database.js';

/** Until a statement waits for a lock on the primary, or `work` is over. */
export async function untilWaiting(
  test: TestBoard,
  work: PromiseLike<unknown>,
): Promise<void> {
  let over = false;
  void work.then(() => {
    over = true;
  });
  let waiting = 0;
  while (!over && waiting === 0) {
    waiting = await lockWaits(test.board.context.writes);
  }
}
