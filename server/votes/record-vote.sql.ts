// By hand: the hot path of votes. One statement counts a vote, uses up its
// ticket, hides its topic and notes the events; one finds a ticket with all
// that decides about it.

import { Message } from '../db/entities/message.js';
import {
  type ChallengeLock,
  Ticket as StoredTicket,
} from '../db/entities/ticket.js';
import { Vote } from '../db/entities/vote.js';
import { eventRows } from '../db/note-event.js';
import { raiseRevision } from '../db/notifications.js';
import { retryLostConnection, type Sql } from '../db/sql.js';
import {
  type AnswerLock,
  lockScope,
  TICKET_COLUMNS,
  type Ticket,
  type TicketRow,
  ticketOf,
} from '../tickets/index.js';

export type NewVote = Pick<Vote, 'messageId' | 'voter' | 'value' | 'at'> & {
  /** Score at or below which an opening message hides its topic. */
  hiddenScore: number;
  /** The ticket that this uses up; a reply's vote has none of its own. */
  ticketHash?: Buffer;
};

export type RecordedVote = {
  /** False when this network had voted before; `value` is then that vote. */
  fresh: boolean;
  value: -1 | 1;
  score: number;
  /** This vote hid the topic: emit the event `hidden` after the commit. */
  hidden: boolean;
};

const RATED = eventRows(
  'rating',
  { message_id: 'id', root_id: 'root_id', score: 'score' },
  'counted',
);
const HIDDEN = eventRows(
  'hidden',
  { message_id: 'id', visibility: 'visibility' },
  'counted WHERE hidden',
);

/**
 * Counts a vote once per voter, in one statement that needs no transaction of
 * its own; null when the message does not exist or was removed.
 *
 * The message's row comes first and the vote's key second: a batch of the
 * ledger may hold that row for a reply and then want the same key, and must
 * not wait for a vote that waits for the row. Votes never wait for the head
 * lock (spec/operators.md §R7.2).
 */
export async function recordVote(
  sql: Sql,
  it: NewVote,
): Promise<RecordedVote | null> {
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
       ${RATED} UNION ALL ${HIDDEN}
     )
     SELECT score, hidden FROM counted`,
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

/**
 * The same by a ticket, also where the connection dies under it: the vote that
 * this ticket recorded at this time is then found and answered as fresh
 * (spec/board.md §5.6).
 */
export async function recordTicketVote(
  sql: Sql,
  it: NewVote & { ticketHash: Buffer },
): Promise<RecordedVote | null> {
  return await retryLostConnection(async (lost) => {
    const recorded = await recordVote(sql, it);
    if (!lost || recorded === null || recorded.fresh) return recorded;
    const { ticketHash, at: usedAt, messageId: id } = it;
    const { manager } = sql;
    const isOurs = await manager.existsBy(StoredTicket, { ticketHash, usedAt });
    if (!isOurs) return recorded;
    const message = await manager.findOne(Message, {
      select: { id: true, visibility: true },
      where: { id },
    });
    const hidden = message?.visibility === 'hidden_by_ratings';
    return { ...recorded, fresh: true, hidden };
  }).finally(raiseRevision); // its voter's next read must show it
}

/** What a vote's ticket stores; `voter` is the hex of its network's hash. */
export type VoteDraft = { messageId: number; vote: -1 | 1; voter: string };

type FoundVoteTicket = {
  ticket: Ticket<VoteDraft>;
  /** What this ticket's network has voted already, and the score now. */
  known: Pick<RecordedVote, 'value' | 'score'> | null;
  lock: AnswerLock;
};

type TicketLookupRow = TicketRow<VoteDraft> & {
  value: Vote['value'] | null;
  score: Message['score'];
  wrong: ChallengeLock['wrong'] | null;
  locked_until: ChallengeLock['lockedUntil'];
};

/** The ticket of a vote on this very message, or null. */
export async function findVoteTicket(
  sql: Sql,
  hash: Buffer,
  messageId: number,
): Promise<FoundVoteTicket | null> {
  // Side by side, each by its key: no plan may come to read a whole table.
  const [row] = await sql.query<TicketLookupRow>(
    `SELECT k.*, l.*, m.*, v.*
     FROM (SELECT ${TICKET_COLUMNS} FROM ticket k
         WHERE k.ticket_hash = $1 AND k.kind = 'vote' OFFSET 0) k
       LEFT JOIN LATERAL (SELECT wrong, locked_until FROM challenge_lock
         WHERE scope = $2 OFFSET 0) l ON true
       LEFT JOIN LATERAL (SELECT score FROM message
         WHERE id = $3 OFFSET 0) m ON true
       LEFT JOIN LATERAL (SELECT value FROM vote
         WHERE message_id = $3
           AND voter = decode(k.draft->>'voter', 'hex') OFFSET 0) v ON true`,
    [hash, lockScope({ ticket: hash }), messageId],
  );
  if (row === undefined || row.draft.messageId !== messageId) return null;
  const { value, score } = row;
  return {
    ticket: ticketOf(hash, row),
    known: value === null ? null : { value, score },
    lock: { wrong: row.wrong ?? 0, until: row.locked_until ?? 0 },
  };
}
