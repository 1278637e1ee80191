import type { Context } from '../context.js';
import { type Take, takeColumns, takenWith, windows } from '../db/budgets.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';
import {
  TICKET_COLUMNS,
  type Ticket,
  type TicketRow,
  ticketOf,
} from '../tickets/ticket.js';
import { CountedLookup } from './counted-lookup.js';
import type { Draft } from './draft.js';

export type StoredReceipt = { contentHash: Buffer; receipt: string };
export type WriteTicket = Ticket<Draft> & { requestId: string };

export type FoundTicket = {
  ticket: WriteTicket;
  /** The receipt of its request_id, when one was accepted. */
  accepted: StoredReceipt | null;
  lock: { wrong: number; until: number };
  /**
   * Its request_id stands for a message of another board (spec/mesh.md §B10).
   */
  elsewhere: boolean;
};

type Row = Omit<TicketRow<Draft>, 'request_id'> & {
  blocked: number | null;
  /** Null when there is no such ticket. */
  request_id: string | null;
  accepted_hash: Buffer | null;
  receipt: string;
  wrong: number | null;
  locked_until: number | null;
  elsewhere: boolean | null;
};

type Asked = { hash: Buffer };

/**
 * Counts an attempt of the publishing network and finds a ticket of this
 * endpoint with all that is decided before the lock: one statement for all
 * attempts that arrive together.
 */
export class AttemptDesk {
  private readonly tickets: CountedLookup<Asked, Row>;

  constructor(ctx: Pick<Context, 'writes' | 'limits'>) {
    this.tickets = new CountedLookup<Asked, Row>(
      {
        limit: 'publish_attempts_per_network_minute',
        scope: 'publish_attempt',
        window: windows.minute,
      },
      (group) => askTickets(ctx, group),
    );
  }

  /** @throws BoardError `rate_limited` */
  async find(
    counters: CounterKeys,
    hash: Buffer,
    now: number,
  ): Promise<FoundTicket | null> {
    const row = await this.tickets.of(counters, { hash }, now);
    return row.request_id === null
      ? null
      : foundTicket(hash, row, row.request_id);
  }
}

function foundTicket(hash: Buffer, row: Row, requestId: string): FoundTicket {
  const accepted =
    row.accepted_hash === null
      ? null
      : { contentHash: row.accepted_hash, receipt: row.receipt };
  return {
    ticket: { ...ticketOf(hash, row), requestId },
    accepted,
    lock: { wrong: row.wrong ?? 0, until: row.locked_until ?? 0 },
    elsewhere: row.elsewhere ?? false,
  };
}

function askTickets(
  { writes, limits }: Pick<Context, 'writes' | 'limits'>,
  group: readonly (Asked & Take)[],
): Promise<Row[]> {
  // By its hash first: beside \`kind\`, a plan made for a table that was empty
  // walks the whole index of the requests that wait.
  return writes.query<Row>(
    `WITH ${takenWith({ hash: 'bytea' })}
     SELECT taken.blocked, f.*
     FROM taken
     LEFT JOIN LATERAL (
       SELECT ${TICKET_COLUMNS}, w.content_hash AS accepted_hash, w.receipt,
         l.wrong, l.locked_until,
         EXISTS (SELECT FROM relay_outbox o WHERE o.request_id = k.request_id
           AND o.state <> 'failed') AS elsewhere
       FROM (SELECT * FROM ticket WHERE ticket_hash = taken.hash OFFSET 0) k
       LEFT JOIN write_request w ON w.request_id = k.request_id
       LEFT JOIN challenge_lock l ON l.scope =
         sha256(convert_to('request ' || k.request_id::text, 'UTF8'))
       WHERE k.kind = 'write' OFFSET 0) f ON true
     ORDER BY taken.ord`,
    [...takeColumns(group, limits), group.map(({ hash }) => hash)],
  );
}
