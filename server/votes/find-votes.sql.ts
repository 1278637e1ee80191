// By hand: the hot path of votes. One statement for all lookups of one moment.

import type { Message } from '../db/entities/message.js';
import type { ChallengeLock } from '../db/entities/ticket.js';
import type { Vote } from '../db/entities/vote.js';
import type { Sql } from '../db/sql.js';
import {
  type AnswerLock,
  lockScope,
  TICKET_COLUMNS,
  type Ticket,
  type TicketRow,
  ticketOf,
} from '../tickets/index.js';
import type { RecordedVote } from './record-vote.sql.js';

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

export type TicketAsked = { hash: Buffer; messageId: number };

/** Each the ticket of a vote on this very message, or null. */
export async function findVoteTickets(
  sql: Sql,
  asked: readonly TicketAsked[],
): Promise<(FoundVoteTicket | null)[]> {
  // Side by side, each by its key: no plan may come to read a whole table.
  const rows = await sql.query<TicketLookupRow & { ord: number }>(
    `SELECT a.ord, k.*, l.*, m.*, v.*
     FROM unnest($1::bytea[], $2::bytea[], $3::bigint[]) WITH ORDINALITY
         AS a (hash, scope, message_id, ord)
       CROSS JOIN LATERAL (SELECT ${TICKET_COLUMNS} FROM ticket k
         WHERE k.ticket_hash = a.hash AND k.kind = 'vote' OFFSET 0) k
       LEFT JOIN LATERAL (SELECT wrong, locked_until FROM challenge_lock
         WHERE scope = a.scope OFFSET 0) l ON true
       LEFT JOIN LATERAL (SELECT score FROM message
         WHERE id = a.message_id OFFSET 0) m ON true
       LEFT JOIN LATERAL (SELECT value FROM vote
         WHERE message_id = a.message_id
           AND voter = decode(k.draft->>'voter', 'hex') OFFSET 0) v ON true`,
    [
      asked.map(({ hash }) => hash),
      asked.map(({ hash }) => lockScope({ ticket: hash })),
      asked.map(({ messageId }) => messageId),
    ],
  );
  const found = new Map(rows.map((row) => [row.ord, row]));
  return asked.map(({ hash, messageId }, at) => {
    const row = found.get(at + 1);
    if (row === undefined || row.draft.messageId !== messageId) return null;
    const { value, score } = row;
    return {
      ticket: ticketOf(hash, row),
      known: value === null ? null : { value, score },
      lock: { wrong: row.wrong ?? 0, until: row.locked_until ?? 0 },
    };
  });
}

type VoteTarget = Pick<Message, 'id' | 'voteSecret' | 'removedAt'>;

/** Messages to vote on, each null where there is none. */
export async function findVoteTargets(
  sql: Sql,
  ids: readonly number[],
): Promise<(VoteTarget | null)[]> {
  const rows = await sql.query<VoteTarget>(
    `SELECT id, vote_secret AS "voteSecret", removed_at AS "removedAt"
     FROM message WHERE id = ANY($1::bigint[])`,
    [ids],
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id) ?? null);
}

export type Voter = Pick<Vote, 'messageId' | 'voter'>;

/** What voters have voted already. */
export async function findVotes(
  sql: Sql,
  voters: readonly Voter[],
): Promise<(Vote['value'] | null)[]> {
  const rows = await sql.query<{ ord: number; value: Vote['value'] }>(
    `SELECT a.ord, v.value
     FROM unnest($1::bigint[], $2::bytea[]) WITH ORDINALITY
         AS a (message_id, voter, ord)
       CROSS JOIN LATERAL (SELECT value FROM vote
         WHERE message_id = a.message_id AND voter = a.voter OFFSET 0) v`,
    [
      voters.map(({ messageId }) => messageId),
      voters.map(({ voter }) => voter),
    ],
  );
  const found = new Map(rows.map(({ ord, value }) => [ord, value]));
  return voters.map((_, at) => found.get(at + 1) ?? null);
}
