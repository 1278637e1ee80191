import type { Tx } from '../db/sql.js';

export type Rating = {
  messageId: number;
  voter: Buffer;
  value: -1 | 1;
  at: number;
  /** Score at or below which an opening message hides its topic. */
  hiddenScore: number;
};

export type Cast = {
  /** False when this network had voted before; `value` is then that vote. */
  fresh: boolean;
  value: -1 | 1;
  score: number;
};

/**
 * Counts a rating once per voter, without the head lock. The message's row is
 * locked before the vote's key: a publication holds the rows of the threads it
 * grew when it comes to its votes, and the other order could deadlock with it.
 */
export async function castVote(tx: Tx, it: Rating): Promise<Cast> {
  const [row] = await tx.query<{ score: number }>(
    `WITH target AS (
       SELECT id FROM message WHERE id = $1 FOR NO KEY UPDATE
     ), fresh AS (
       INSERT INTO vote (message_id, voter, value, at)
       SELECT id, $2::bytea, $3::smallint, $4::bigint FROM target
       ON CONFLICT (message_id, voter) DO NOTHING
       RETURNING message_id
     )
     UPDATE message m SET score = m.score + $3::int,
       visibility = CASE
         WHEN m.reply_to IS NULL AND m.visibility = 'visible'
           AND m.score + $3::int <= $5::int
         THEN 'hidden_by_ratings' ELSE m.visibility END
     FROM fresh WHERE m.id = fresh.message_id
     RETURNING m.score`,
    [it.messageId, it.voter, it.value, it.at, it.hiddenScore],
  );
  if (row !== undefined) {
    return { fresh: true, value: it.value, score: row.score };
  }
  const [known] = await tx.query<{ value: -1 | 1; score: number }>(
    `SELECT v.value, m.score FROM vote v JOIN message m ON m.id = v.message_id
     WHERE v.message_id = $1 AND v.voter = $2`,
    [it.messageId, it.voter],
  );
  if (known === undefined) throw new Error('a vote that exists was not found');
  return { fresh: false, value: known.value, score: known.score };
}
