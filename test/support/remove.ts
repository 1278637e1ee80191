import type { TestBoard } from './board.js';

/**
 * What a removal does to the row, without the decision and its log entry: for
 * tests of those who meet a removed message. `checkLedger` is to be told.
 */
export async function removeRow(test: TestBoard, id: number): Promise<void> {
  const { writes } = test.board.context;
  await writes.query(
    `UPDATE message SET removed_at = $2, body = NULL, title = NULL,
       author = NULL, salt = NULL WHERE id = $1`,
    [id, test.clock.now()],
  );
  await writes.query('DELETE FROM message_search WHERE message_id = $1', [id]);
}
