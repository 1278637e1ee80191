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
  const rows = await sql.query<Row>(
    `SELECT a.ord, ${TICKET_COLUMNS}, v.value, m.score, l.wrong, l.locked_until
     FROM unnest($1::bytea[], $2::bytea[], $3::bigint[]) WITH ORDINALITY
         AS a (hash, scope, message_id, ord)
       JOIN ticket k ON k.ticket_hash = a.hash AND k.kind = 'vote'
       LEFT JOIN challenge_lock l ON l.scope = a.scope
       LEFT JOIN message m ON m.id = a.message_id
       LEFT JOIN vote v ON v.message_id = m.id
         AND v.voter = decode(k.draft->>'voter', 'hex')`,
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
