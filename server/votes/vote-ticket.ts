import { Grouped } from '../db/grouped.js';
import type { Sql } from '../db/sql.js';
import { lockScope } from '../tickets/answer-lock.js';
import {
  TICKET_COLUMNS,
  type Ticket,
  type TicketRow,
  ticketOf,
} from '../tickets/ticket.js';
import type { AnswerLock } from '../tickets/voting.js';

/** What a rating's ticket stores; `voter` is the hex of its network's hash. */
export type VoteDraft = { messageId: number; vote: -1 | 1; voter: string };

export type FoundVoteTicket = {
  ticket: Ticket<VoteDraft>;
  /** What this ticket's network has voted already, and the score now. */
  known: { value: -1 | 1; score: number } | null;
  lock: AnswerLock;
};

type Asked = { hash: Buffer; messageId: number };

type Row = TicketRow<VoteDraft> & {
  ord: number;
  value: -1 | 1 | null;
  score: number;
  wrong: number | null;
  locked_until: number | null;
};

/** Finds tickets of ratings; those asked for together in one statement. */
export function findVoteTickets(
  sql: Sql,
): Grouped<Asked, FoundVoteTicket | null> {
  return new Grouped((asked) => read(sql, asked));
}

/** Each the ticket of a rating of this very message, or null. */
async function read(
  sql: Sql,
  asked: readonly Asked[],
): Promise<(FoundVoteTicket | null)[]> {
  // Side by side, each by its key: no plan may come to read a whole table.
  const rows = await sql.query<Row>(
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
