import type { Sql } from '../db/sql.js';
import { lockScope } from '../tickets/answer-lock.js';
import {
  TICKET_COLUMNS,
  type Ticket,
  type TicketRow,
  ticketHash,
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

type Row = TicketRow<VoteDraft> & {
  value: -1 | 1 | null;
  score: number;
  wrong: number | null;
  locked_until: number | null;
};

/** The ticket of a rating of this very message, or null. */
export async function findVoteTicket(
  sql: Sql,
  secret: string,
  messageId: number,
): Promise<FoundVoteTicket | null> {
  const hash = ticketHash(secret);
  const [row] = await sql.query<Row>(
    `SELECT ${TICKET_COLUMNS}, v.value, m.score, l.wrong, l.locked_until
     FROM ticket k
       LEFT JOIN challenge_lock l ON l.scope = $2
       LEFT JOIN message m ON m.id = $3
       LEFT JOIN vote v ON v.message_id = m.id
         AND v.voter = decode(k.draft->>'voter', 'hex')
     WHERE k.ticket_hash = $1 AND k.kind = 'vote'`,
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
