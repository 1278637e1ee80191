import type { TestBoard } from '../../support/board.js';

/**
 * Until a statement of this board waits for a lock, or `work` is over. The
 * primary is asked: no writer waits on a replica.
 */
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
    const rows = await test.board.context.writes.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    waiting = rows.length;
  }
}
