import { onceMore } from '../db/retry-lost-connection.js';
import type { Sql } from '../db/sql.js';

export type Rating = {
  messageId: number;
  voter: Buffer;
  value: -1 | 1;
  at: number;
  /** Score at or below which an opening message hides its topic. */
  hiddenScore: number;
  /** The ticket that this uses up; a reply's vote has none of its own. */
  ticketHash?: Buffer;
};

/** A rating by a ticket of its own. */
export type TicketRating = Rating & { ticketHash: Buffer };

export type Cast = {
  /** False when this network had voted before; `value` is then that vote. */
  fresh: boolean;
  value: -1 | 1;
  score: number;
  /** This vote hid the topic: emit the hint `hidden` after the commit. */
  hidden: boolean;
};

/**
 * Counts a rating once per voter, in one statement that needs no transaction
 * of its own; null when the message is not there or was removed.
 *
 * The message's row comes first and the vote's key second: a batch of the
 * ledger may hold that row for a reply and then want the same key, and must
 * not wait for a rating that waits for the row. Ratings never wait for the
 * head lock (spec/operators.md §R7.2).
 */
export async function castVote(sql: Sql, it: Rating): Promise<Cast | null> {
  const [row] = await sql.query<{ score: number; hidden: boolean }>(
    `WITH target AS MATERIALIZED (
       SELECT id, visibility FROM message
       WHERE id = $1 AND removed_at IS NULL FOR NO KEY UPDATE
     ), fresh AS (
       INSERT INTO vote (message_id, voter, value, at)
       SELECT id, $2::bytea, $3::smallint, $4::bigint FROM target
       ON CONFLICT (message_id, voter) DO NOTHING
       RETURNING message_id
     ), used AS (
       UPDATE ticket SET used_at = $4
       WHERE ticket_hash = $6 AND EXISTS (SELECT FROM fresh)
     )
     UPDATE message m SET score = m.score + $3::int,
       visibility = CASE
         WHEN m.reply_to IS NULL AND m.visibility = 'visible'
           AND m.score + $3::int <= $5::int
         THEN 'hidden_by_ratings' ELSE m.visibility END
     FROM fresh JOIN target ON target.id = fresh.message_id
     WHERE m.id = fresh.message_id
     RETURNING m.score, m.visibility <> target.visibility AS hidden`,
    [
      it.messageId,
      it.voter,
      it.value,
      it.at,
      it.hiddenScore,
      it.ticketHash ?? null,
    ],
  );
  if (row !== undefined) return { fresh: true, value: it.value, ...row };
  return await standing(sql, it);
}

async function standing(sql: Sql, it: Rating): Promise<Cast | null> {
  const [known] = await sql.query<{ value: -1 | 1; score: number }>(
    `SELECT v.value, m.score FROM vote v JOIN message m ON m.id = v.message_id
     WHERE v.message_id = $1 AND v.voter = $2`,
    [it.messageId, it.voter],
  );
  return known === undefined ? null : { fresh: false, hidden: false, ...known };
}

/**
 * The same by a ticket, with others at the same moment where `together` can,
 * also where the connection dies under it: the vote that this ticket cast at
 * this time is then found and told as the first time (spec/board.md §5.6).
 */
export async function castByTicket(
  sql: Sql,
  it: TicketRating,
  together: (it: TicketRating) => Promise<Cast | undefined>,
): Promise<Cast | null> {
  return await onceMore(async (lost) => {
    const shared = lost ? undefined : await together(it);
    const cast = shared ?? (await castVote(sql, it));
    if (!lost || cast === null || cast.fresh) return cast;
    const [ours] = await sql.query<{ hidden: boolean }>(
      `SELECT m.visibility = 'hidden_by_ratings' AS hidden
       FROM ticket k JOIN message m ON m.id = $3
       WHERE k.ticket_hash = $1 AND k.used_at = $2`,
      [it.ticketHash, it.at, it.messageId],
    );
    return ours === undefined ? cast : { ...cast, ...ours, fresh: true };
  });
}
