import {
  assertTaken,
  type BudgetCheck,
  networkKey,
  TAKE_BUDGET,
  takeColumns,
  windows,
} from '../budgets.js';
import type { Context } from '../context.js';
import type { CounterKeys } from '../network-keys.js';
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

type Row = Omit<TicketRow<Draft>, 'request_id'> & {
  blocked: number | null;
  /** Null when there is no such ticket. */
  request_id: string | null;
  accepted_hash: Buffer | null;
  receipt: string;
  wrong: number | null;
  locked_until: number | null;
};

/**
 * Counts an attempt of the publishing network and finds a ticket of this
 * endpoint with all that is decided before the lock, in one statement.
 * @throws BoardError `rate_limited`
 */
export async function attemptTicket(
  ctx: Pick<Context, 'writes' | 'limits'>,
  counters: CounterKeys,
  hash: Buffer,
  now: number,
): Promise<FoundTicket | null> {
  const attempt: BudgetCheck = {
    limit: 'publish_attempts_per_network_minute',
    scope: 'publish_attempt',
    key: networkKey(counters),
    window: windows.minute,
  };
  const [row] = await ctx.writes.query<Row>(
    `WITH ${TAKE_BUDGET}
     SELECT taken.blocked, ${TICKET_COLUMNS}, w.content_hash AS accepted_hash,
       w.receipt, l.wrong, l.locked_until
     FROM taken
     LEFT JOIN ticket k ON k.ticket_hash = $7 AND k.kind = 'write'
     LEFT JOIN write_request w ON w.request_id = k.request_id
     LEFT JOIN challenge_lock l ON l.scope =
       sha256(convert_to('request ' || k.request_id::text, 'UTF8'))`,
    [...takeColumns(attempt, ctx.limits, now), hash],
  );
  assertTaken(attempt, row?.blocked ?? null, now);
  if (row === undefined || row.request_id === null) return null;
  const { request_id: requestId } = row;
  const accepted =
    row.accepted_hash === null
      ? null
      : { contentHash: row.accepted_hash, receipt: row.receipt };
  return {
    ticket: { ...ticketOf(hash, row), requestId },
    accepted,
    lock: { wrong: row.wrong ?? 0, until: row.locked_until ?? 0 },
  };
}
