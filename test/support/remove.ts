import type { TestBoard } from './board.js';

/** Messages removed without an entry of the log, by the board's database. */
const removed = new Map<string, number[]>();

export const removedFrom = (databaseUrl: string): readonly number[] =>
  removed.get(databaseUrl) ?? [];

/** A removal's rows without its log entry; `checkLedger` knows of it. */
export async function removeRow(test: TestBoard, id: number): Promise<void> {
  removed.set(test.databaseUrl, [...removedFrom(test.databaseUrl), id]);
  const { writes } = test.board.context;
  await writes.query(
    `WITH made AS (
       INSERT INTO decision (id, message_id, action, effect, reason,
         explanation, made_by, operator, decided_at, log_index)
       SELECT coalesce(max(id), 0) + 1, $1, 'remove', 'removed', 'spam',
         'Spam.', 'operator', 'operator', $2, -$1::bigint FROM decision
       RETURNING id
     )
     UPDATE message SET removed_at = $2, removal = 'removed',
       removed_by = made.id, body = NULL, title = NULL, author = NULL,
       salt = NULL, text_key = NULL, link_hosts = NULL
     FROM made WHERE message.id = $1`,
    [id, test.clock.now()],
  );
  await writes.query('DELETE FROM message_search WHERE message_id = $1', [id]);
}
