import type { Sql } from '../db/sql.js';
import { lockScope } from '../tickets/answer-lock.js';
import {
  TICKET_COLUMNS,
  type Ticket,
  type TicketRow,
  ticketOf,
} from '../tickets/ticket.js';
import type { Draft } from './draft.js';

export type StoredReceipt = { contentHash: Buffer; receipt: string };
export type WriteTicket = Ticket<Draft> & { requestId: string };

export type FoundTicket = {
  ticket: WriteTicket;
  /** The receipt of its request_id, when one was accepted. */
  accepted: StoredReceipt | null;
  lock: { wrong: number; until: number };
};

type Row = TicketRow<Draft> & {
  request_id: string;
  accepted_hash: Buffer | null;
  receipt: string;
};

/** A ticket of this endpoint with all that is decided before the lock. */
export async function findWriteTicket(
  sql: Sql,
  hash: Buffer,
): Promise<FoundTicket | null> {
  const [row] = await sql.query<Row>(
    `SELECT ${TICKET_COLUMNS}, w.content_hash AS accepted_hash, w.receipt
     FROM ticket k LEFT JOIN write_request w ON w.request_id = k.request_id
     WHERE k.ticket_hash = $1 AND k.kind = 'write'`,
    [hash],
  );
  if (row === undefined) return null;
  const accepted =
    row.accepted_hash === null
      ? null
      : { contentHash: row.accepted_hash, receipt: row.receipt };
  const ticket = { ...ticketOf(hash, row), requestId: row.request_id };
  return { ticket, accepted, lock: await lockOf(sql, row.request_id) };
}

async function lockOf(
  sql: Sql,
  requestId: string,
): Promise<{ wrong: number; until: number }> {
  const [row] = await sql.query<{ wrong: number; locked_until: number | null }>(
    'SELECT wrong, locked_until FROM challenge_lock WHERE scope = $1',
    [lockScope({ requestId })],
  );
  return { wrong: row?.wrong ?? 0, until: row?.locked_until ?? 0 };
}
