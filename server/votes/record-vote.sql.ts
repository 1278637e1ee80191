// By hand (W2): one statement counts votes, hides topics and notes events.

import { Message } from '../db/entities/message.js';
import { Vote } from '../db/entities/vote.js';
import { eventRows } from '../db/note-event.js';
import { raiseRevision } from '../db/notifications.js';
import { arraysOf, retryLostConnection, type Sql } from '../db/sql.js';

export type NewVote = Pick<Vote, 'messageId' | 'voter' | 'value' | 'at'> & {
  /** At or below this score an opening message hides its topic. */
  hiddenScore: number;
};

export type RecordedVote = {
  /** False: the network had voted before, with `value`. */
  fresh: boolean;
  value: -1 | 1;
  score: number;
  /** Emit `hidden` after the commit. */
  hidden: boolean;
  /** Of a fresh one. */
  rootId?: number;
};

type Counted = Pick<RecordedVote, 'score' | 'hidden' | 'rootId'>;

const RATED = eventRows(
  'rating',
  { message_id: 'id', root_id: 'root_id', score: 'score' },
  'counted',
);
const hiddenIn = (rows: string) =>
  eventRows('hidden', { message_id: 'id', visibility: 'visibility' }, rows);

/**
 * Once per voter, in one statement; null for missing or removed messages. Locks
 * the message's row before the vote's key, as a batch of the ledger does. Never
 * waits for the head lock (spec/operators.md §R7.2).
 */
export async function recordVote(
  sql: Sql,
  it: NewVote,
): Promise<RecordedVote | null> {
  const [row] = await sql.query<Counted>(
    `WITH target AS MATERIALIZED (
       SELECT id, visibility FROM message
       WHERE id = $1 AND removed_at IS NULL FOR NO KEY UPDATE
     ), fresh AS (
       INSERT INTO vote (message_id, voter, value, at)
       SELECT id, $2::bytea, $3::smallint, $4::bigint FROM target
       ON CONFLICT (message_id, voter) DO NOTHING
       RETURNING message_id
     ), counted AS (
       UPDATE message m SET score = m.score + $3::int,
         visibility = CASE
           WHEN m.reply_to IS NULL AND m.visibility = 'visible'
             AND m.score + $3::int <= $5::int
           THEN 'hidden_by_ratings' ELSE m.visibility END
       FROM fresh JOIN target ON target.id = fresh.message_id
       WHERE m.id = fresh.message_id
       RETURNING m.id, m.root_id, m.score, m.visibility,
         m.visibility <> target.visibility AS hidden
     ), noted AS (
       INSERT INTO admin_pending (kind, payload)
       ${RATED} UNION ALL ${hiddenIn('counted WHERE hidden')}
     )
     SELECT score, hidden, root_id AS "rootId" FROM counted`,
    [it.messageId, it.voter, it.value, it.at, it.hiddenScore],
  );
  if (row !== undefined) return { fresh: true, value: it.value, ...row };
  return await standing(sql, it);
}

/**
 * Counts a group in one statement. Undefined: the vote has to be recorded alone
 * (repeated, no such message, or its row is locked). SKIP LOCKED: a group never
 * waits while it has rows, so it cannot deadlock with a batch of the ledger.
 */
export async function recordVotes(
  sql: Sql,
  votes: readonly NewVote[],
): Promise<(RecordedVote | undefined)[]> {
  const rows = await sql.query<Counted & { ord: number }>(RECORD_VOTES, [
    ...arraysOf(votes, 'messageId', 'voter', 'value', 'at'),
    votes[0]?.hiddenScore,
  ]);
  const counted = new Map(rows.map(({ ord, ...row }) => [ord, row]));
  return votes.map(({ value }, at) => {
    const row = counted.get(at + 1);
    return row === undefined ? row : { fresh: true, value, ...row };
  });
}

const RECORD_VOTES = `WITH asked AS MATERIALIZED (
    SELECT a.*, row_number() OVER (
      PARTITION BY a.message_id, a.voter ORDER BY a.ord) AS nth
    FROM unnest($1::bigint[], $2::bytea[], $3::smallint[], $4::bigint[])
      WITH ORDINALITY AS a (message_id, voter, value, at, ord)
  ), target AS MATERIALIZED (
    SELECT id, root_id, score, reply_to IS NULL AND visibility = 'visible'
      AS may_hide
    FROM message WHERE id = ANY($1::bigint[]) AND removed_at IS NULL
    FOR NO KEY UPDATE SKIP LOCKED
  ), fresh AS (
    INSERT INTO vote (message_id, voter, value, at)
    SELECT a.message_id, a.voter, a.value, a.at
    FROM asked a JOIN target t ON t.id = a.message_id WHERE a.nth = 1
    ON CONFLICT (message_id, voter) DO NOTHING
    RETURNING message_id, voter
  ), counted AS MATERIALIZED (
    SELECT a.ord, t.id, t.root_id, a.value, t.may_hide,
      (t.score + sum(a.value) OVER (
        PARTITION BY t.id ORDER BY a.ord))::int AS score
    FROM fresh f JOIN asked a
        ON a.nth = 1 AND a.message_id = f.message_id AND a.voter = f.voter
      JOIN target t ON t.id = f.message_id
    ORDER BY a.ord
  ), hides AS MATERIALIZED (
    SELECT id, min(ord) AS ord, 'hidden_by_ratings' AS visibility
    FROM counted WHERE may_hide AND score <= $5::int GROUP BY id
  ), stored AS (
    UPDATE message m SET score = m.score + g.change,
      visibility = coalesce(h.visibility, m.visibility)
    FROM (SELECT id, sum(value)::int AS change FROM counted GROUP BY id) g
      LEFT JOIN hides h ON h.id = g.id
    WHERE m.id = g.id AND m.id = ANY($1::bigint[])
  ), noted AS (
    INSERT INTO admin_pending (kind, payload)
    ${RATED} UNION ALL ${hiddenIn('hides')}
  )
  SELECT c.ord, c.score, h.id IS NOT NULL AS hidden, c.root_id AS "rootId"
  FROM counted c LEFT JOIN hides h ON h.ord = c.ord`;

/** The vote that counts already. */
async function standing(sql: Sql, it: NewVote): Promise<RecordedVote | null> {
  const { messageId, voter } = it;
  const known = await sql.manager
    .createQueryBuilder(Vote, 'v')
    .innerJoin(Message, 'm', 'm.id = v.messageId')
    .select(['v.value AS value', 'm.score AS score'])
    .where('v.messageId = :messageId', { messageId })
    .andWhere('v.voter = :voter', { voter })
    .getRawOne<Pick<Vote & Message, 'value' | 'score'>>();
  return known === undefined ? null : { fresh: false, hidden: false, ...known };
}

/** Undefined: the vote has to be recorded alone. */
export type RecordTogether = (
  vote: NewVote,
) => Promise<RecordedVote | undefined>;

/**
 * With simultaneous votes where possible. Retries on a lost connection: a vote
 * recorded at this time is answered as fresh (spec/board.md §5.6).
 */
export async function recordOnce(
  sql: Sql,
  it: NewVote,
  together: RecordTogether,
): Promise<RecordedVote | null> {
  let roots: number[] | null = null;
  return await retryLostConnection(async (lost) => {
    const shared = lost ? undefined : await together(it);
    const recorded = shared ?? (await recordVote(sql, it));
    if (recorded?.rootId !== undefined) roots = [recorded.rootId];
    if (!lost || recorded === null || recorded.fresh) return recorded;
    const { messageId, voter, at } = it;
    const { manager } = sql;
    const isOurs = await manager.existsBy(Vote, { messageId, voter, at });
    if (!isOurs) return recorded;
    const message = await manager.findOne(Message, {
      select: { id: true, visibility: true },
      where: { id: messageId },
    });
    const hidden = message?.visibility === 'hidden_by_ratings';
    return { ...recorded, fresh: true, hidden };
  }).finally(() => raiseRevision(roots)); // its voter's next read must show it
}
