// By hand: batches by unnest into three tables, and counters that add up.
import { Any } from 'typeorm';
import { type Clock, DAY_MS, utcDay, utcHour } from '../clock.js';
import { Ticket } from '../db/entities/ticket.js';
import { arraysOf, type Sql } from '../db/sql.js';
import type { NetworkKeys } from '../http/rate-limits/write-limits.js';
import type { Batch } from './recorder.js';

/** Rows are written in key order, so that processes do not deadlock. */
export async function writeBatch(
  { sql, keys, clock }: { sql: Sql; keys: NetworkKeys; clock: Clock },
  { sessions, counts }: Batch,
): Promise<void> {
  const marks = await hashed(keys, sessions);
  await sql.query(
    `WITH sessions AS (
       INSERT INTO session_day AS s (day, network, flags, hour)
       SELECT u.day, u.network, bit_or(u.flags), $8::smallint
       FROM unnest($1::text[], $2::bytea[], $3::smallint[])
         AS u (day, network, flags)
       GROUP BY u.day, u.network ORDER BY u.day, u.network
       ON CONFLICT (day, network) DO UPDATE SET flags = s.flags | excluded.flags,
           hour = greatest(s.hour, excluded.hour), former =
             CASE WHEN s.hour < excluded.hour THEN s.flags ELSE s.former END
         WHERE s.flags | excluded.flags <> s.flags
     ), counts AS (
       SELECT * FROM unnest($4::text[], $5::text[], $6::text[], $7::bigint[])
         AS u (day, operation, code, total)
     ), operations AS (
       INSERT INTO operation_day AS o (day, operation, total)
       SELECT day, operation, total FROM counts WHERE code IS NULL
       ORDER BY day, operation
       ON CONFLICT (day, operation)
         DO UPDATE SET total = o.total + excluded.total
     )
     INSERT INTO request_error_day AS e (day, operation, code, total)
     SELECT * FROM counts WHERE code IS NOT NULL
     ORDER BY day, operation, code
     ON CONFLICT (day, operation, code)
       DO UPDATE SET total = e.total + excluded.total`,
    [
      ...arraysOf(marks, 'day', 'name', 'flags'),
      ...arraysOf(counts, 'day', 'operation', 'code', 'total'),
      utcHour(clock.now()),
    ],
  );
}

/** Under the key of their day; dropped once that key is gone. */
async function hashed(keys: NetworkKeys, sessions: Batch['sessions']) {
  const marks: { day: string; name: Buffer; flags: number }[] = [];
  for (const { day, network, flags } of sessions) {
    const { day: today, ...names } = await keys.counterKeys(network);
    if (day === today) marks.push({ day, name: names.today, flags });
    else if (day === utcDay(Date.parse(`${today}T00:00:00Z`) - DAY_MS)) {
      marks.push({ day, name: names.yesterday, flags });
    }
  }
  return marks;
}

/** Published tickets that had a vote, which only their drafts tell. */
export async function countRated(
  { manager }: Sql,
  tickets: readonly Buffer[],
): Promise<number> {
  return await manager
    .createQueryBuilder(Ticket, 't')
    .where({ ticketHash: Any(tickets), kind: 'write' })
    .andWhere("t.draft #>> '{submitted,vote}' IN ('1', '-1')")
    .getCount();
}
