// By hand: a group in one statement, which waits once for the disk. TypeORM's
// insert failed the marks W1 and W2.

import type { Ticket } from '../db/entities/ticket.js';
import { grouped } from '../db/grouped.js';
import { arraysOf, type Sql } from '../db/sql.js';

export type NewTicket = Omit<
  Ticket,
  'kind' | 'usedAt' | 'netPrev' | 'netDay' | 'netNext'
>;

export type StoreTicket = ReturnType<typeof storeTickets>;

/** A ticket is durable when it resolves. */
export function storeTickets(sql: Sql) {
  return grouped(async (tickets: readonly NewTicket[]) => {
    await sql.query(
      `INSERT INTO ticket (ticket_hash, kind, request_id, content_hash, draft,
         network_salt, network_hash, day, sealed_counters, answer_hash,
         created_at, expires_at)
       SELECT unnest($1::bytea[]), 'write', unnest($2::uuid[]),
         unnest($3::bytea[]), unnest($4::jsonb[]), unnest($5::bytea[]),
         unnest($6::bytea[]), unnest($7::text[]), unnest($8::bytea[]),
         unnest($9::bytea[]), unnest($10::bigint[]), unnest($11::bigint[])`,
      [
        ...arraysOf(tickets, 'ticketHash', 'requestId', 'contentHash'),
        tickets.map(({ draft }) => JSON.stringify(draft)),
        ...arraysOf(tickets, 'networkSalt', 'networkHash', 'day'),
        ...arraysOf(tickets, 'sealedCounters', 'answerHash'),
        ...arraysOf(tickets, 'createdAt', 'expiresAt'),
      ],
    );
    return tickets.map(() => null);
  });
}
