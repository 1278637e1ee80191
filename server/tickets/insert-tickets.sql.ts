// By hand: a group in one statement, which waits once for the disk. TypeORM's
// insert failed the marks W1 and W2.

import type { Ticket } from '../db/entities/ticket.js';
import { grouped } from '../db/grouped.js';
import type { Sql } from '../db/sql.js';

export type NewTicket = Omit<
  Ticket,
  'kind' | 'usedAt' | 'netPrev' | 'netDay' | 'netNext'
>;

/** Durable when it resolves. */
export type StoreTicket = (ticket: NewTicket) => Promise<null>;

export function storeTickets(sql: Sql): StoreTicket {
  return grouped(async (tickets) => {
    await insertTickets(sql, tickets);
    return tickets.map(() => null);
  });
}

async function insertTickets(
  sql: Sql,
  tickets: readonly NewTicket[],
): Promise<void> {
  const column = <Key extends keyof NewTicket>(key: Key) =>
    tickets.map((ticket) => ticket[key]);
  await sql.query(
    `INSERT INTO ticket (ticket_hash, kind, request_id, content_hash, draft,
       network_salt, network_hash, day, sealed_counters, answer_hash,
       created_at, expires_at)
     SELECT unnest($1::bytea[]), 'write', unnest($2::uuid[]),
       unnest($3::bytea[]), unnest($4::jsonb[]), unnest($5::bytea[]),
       unnest($6::bytea[]), unnest($7::text[]), unnest($8::bytea[]),
       unnest($9::bytea[]), unnest($10::bigint[]), unnest($11::bigint[])`,
    [
      column('ticketHash'),
      column('requestId'),
      column('contentHash'),
      column('draft').map((draft) => JSON.stringify(draft)),
      column('networkSalt'),
      column('networkHash'),
      column('day'),
      column('sealedCounters'),
      column('answerHash'),
      column('createdAt'),
      column('expiresAt'),
    ],
  );
}
