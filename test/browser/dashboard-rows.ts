import type { TestBoard } from '../support/board.js';
import { publish } from '../support/post.js';

const FIRST = 1000;

/** Topics of one text each, reported once; the ids of them. */
export async function reportedRows(
  test: TestBoard,
  texts: readonly { title: string; name: string; body: string }[],
  visibility: 'visible' | 'hidden_by_ratings' = 'visible',
): Promise<number[]> {
  const { message } = await publish(test, { title: 'A topic' });
  const ids = texts.map((_, n) => FIRST + n);
  // Rows that were never published: no ledger has to hold them.
  await test.board.context.writes.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO message (id, root_id, room, title, author, body, salt,
         created_at, request_id, message_hash, log_index, vote_secret,
         last_activity_id, reply_to, visibility)
       SELECT id, id, 'lobby', title, author, body, '\\x00', $5,
         gen_random_uuid(), '\\x00', 1000000 + id, '\\x00', id, NULL, $6
       FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[])
         AS it (id, title, author, body)`,
      [
        ids,
        texts.map(({ title }) => title),
        texts.map(({ name }) => name),
        texts.map(({ body }) => body),
        test.clock.now() - message.id,
        visibility,
      ],
    );
    await tx.query(
      `INSERT INTO report (request_id, content_hash, kind, reason, message_id,
         detail, created_at, status_at)
       SELECT gen_random_uuid(), '\\x00', 'report', 'spam', id, detail, $3 + id,
         $3 + id
       FROM unnest($1::bigint[], $2::text[]) AS it (id, detail)`,
      [ids, texts.map(({ body }) => body), test.clock.now() - 1_000_000],
    );
  });
  return ids;
}
