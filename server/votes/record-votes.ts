import type { Sql } from '../db/sql.js';
import type { Cast, TicketRating } from './record-vote.js';

/**
 * Counts the ratings of a group in one statement and with one commit, as if
 * one came after the other. Undefined: to be cast by itself, because it is not
 * the first of its voter, its message is not there, or its row is held.
 *
 * A group that holds rows never waits for another one (SKIP LOCKED), so it is
 * in no circle of waits with the ledger's batches, and no rating waits here
 * for a message that is none of its own.
 */
export async function castTogether(
  sql: Sql,
  ratings: readonly TicketRating[],
  hiddenScore: number,
): Promise<(Cast | undefined)[]> {
  const column = <Key extends keyof TicketRating>(key: Key) =>
    ratings.map((rating) => rating[key]);
  const rows = await sql.query<{ ord: number; score: number; hidden: boolean }>(
    CAST_TOGETHER,
    [
      column('messageId'),
      column('voter'),
      column('value'),
      column('at'),
      column('ticketHash'),
      hiddenScore,
    ],
  );
  const counted = new Map(rows.map((row) => [row.ord, row]));
  return ratings.map(({ value }, at) => {
    const row = counted.get(at + 1);
    if (row === undefined) return undefined;
    const { score, hidden } = row;
    return { fresh: true, value, score, hidden };
  });
}

const CAST_TOGETHER = `WITH asked AS MATERIALIZED (
    SELECT a.*, row_number() OVER (
      PARTITION BY a.message_id, a.voter ORDER BY a.ord) AS nth
    FROM unnest($1::bigint[], $2::bytea[], $3::smallint[], $4::bigint[],
      $5::bytea[]) WITH ORDINALITY
      AS a (message_id, voter, value, at, ticket, ord)
  ), target AS MATERIALIZED (
    SELECT id, score, reply_to IS NULL AND visibility = 'visible' AS may_hide
    FROM message WHERE id = ANY($1::bigint[]) AND removed_at IS NULL
    FOR NO KEY UPDATE SKIP LOCKED
  ), fresh AS (
    INSERT INTO vote (message_id, voter, value, at)
    SELECT a.message_id, a.voter, a.value, a.at
    FROM asked a JOIN target t ON t.id = a.message_id WHERE a.nth = 1
    ON CONFLICT (message_id, voter) DO NOTHING
    RETURNING message_id, voter
  ), counted AS MATERIALIZED (
    SELECT a.ord, a.message_id, a.value, a.at, a.ticket, t.may_hide,
      t.score + sum(a.value) OVER (
        PARTITION BY a.message_id ORDER BY a.ord) AS score
    FROM fresh f JOIN asked a
        ON a.nth = 1 AND a.message_id = f.message_id AND a.voter = f.voter
      JOIN target t ON t.id = f.message_id
  ), used AS (
    UPDATE ticket k SET used_at = c.at FROM counted c
    WHERE k.ticket_hash = c.ticket AND k.ticket_hash = ANY($5::bytea[])
  ), stored AS (
    UPDATE message m SET score = m.score + g.change,
      visibility = CASE WHEN g.hides THEN 'hidden_by_ratings'
        ELSE m.visibility END
    FROM (SELECT message_id, sum(value)::int AS change,
        bool_or(may_hide AND score <= $6::int) AS hides
      FROM counted GROUP BY message_id) g
    WHERE m.id = g.message_id AND m.id = ANY($1::bigint[])
  )
  SELECT ord, score, may_hide AND score <= $6::int AS hidden FROM counted`;
