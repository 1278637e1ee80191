// By hand (W2): look-ups of a group in one statement.

import { Any } from 'typeorm';
import { Message } from '../db/entities/message.js';
import type { ChallengeLock } from '../db/entities/ticket.js';
import type { Vote } from '../db/entities/vote.js';
import { arraysOf, type Sql } from '../db/sql.js';
import { type AnswerLock, lockScope } from '../tickets/index.js';
import type { RecordedVote } from './record-vote.sql.js';

export type Voter = Pick<Vote, 'messageId' | 'voter'>;

export type VoteAsked = Voter & { ticketHash: Buffer };

export type VoteFacts = {
  /** This voter's vote, and the score now. */
  known: Pick<RecordedVote, 'value' | 'score'> | null;
  /** Of the message; a removal keeps it. */
  voteSecret: Buffer;
  lock: AnswerLock;
};

export async function findVoteFacts(
  sql: Sql,
  asked: readonly VoteAsked[],
): Promise<(VoteFacts | null)[]> {
  type Row = {
    ord: number;
    value: Vote['value'] | null;
    score: Message['score'];
    secret: Buffer;
    wrong: ChallengeLock['wrong'] | null;
    locked_until: ChallengeLock['lockedUntil'];
  };
  // Lateral lookups by key: no plan may read a whole table.
  const rows = await sql.query<Row>(
    `SELECT a.ord, l.*, m.*, v.*
     FROM unnest($1::bytea[], $2::bigint[], $3::bytea[]) WITH ORDINALITY
         AS a (scope, message_id, voter, ord)
       CROSS JOIN LATERAL (SELECT score, vote_secret AS secret FROM message
         WHERE id = a.message_id OFFSET 0) m
       LEFT JOIN LATERAL (SELECT wrong, locked_until FROM challenge_lock
         WHERE scope = a.scope OFFSET 0) l ON true
       LEFT JOIN LATERAL (SELECT value FROM vote
         WHERE message_id = a.message_id AND voter = a.voter OFFSET 0) v
         ON true`,
    [
      asked.map(({ ticketHash }) => lockScope({ ticket: ticketHash })),
      ...arraysOf(asked, 'messageId', 'voter'),
    ],
  );
  const found = new Map(rows.map((row) => [row.ord, row]));
  return asked.map((_, at) => {
    const row = found.get(at + 1);
    if (row === undefined) return null;
    const { value, score, secret } = row;
    return {
      known: value === null ? null : { value, score },
      voteSecret: secret,
      lock: { wrong: row.wrong ?? 0, until: row.locked_until ?? 0 },
    };
  });
}

/** Null for unknown messages. */
export async function findVoteTargets(
  sql: Sql,
  ids: readonly number[],
): Promise<(Pick<Message, 'id' | 'voteSecret' | 'removedAt'> | null)[]> {
  const rows = await sql.manager.find(Message, {
    select: { id: true, voteSecret: true, removedAt: true },
    where: { id: Any(ids) },
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id) ?? null);
}

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
    arraysOf(voters, 'messageId', 'voter'),
  );
  const found = new Map(rows.map(({ ord, value }) => [ord, value]));
  return voters.map((_, at) => found.get(at + 1) ?? null);
}
