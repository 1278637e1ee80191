import type { Sql } from '../db/sql.js';
import type { NetworkKeys } from '../http/rate-limits/network-keys.js';
import type { Batch } from './pending.js';

/**
 * Adds a batch to the day's counters in one statement. Rows are written in
 * the order of their keys, so that two processes never wait for each other.
 */
export async function writeBatch(
  { sql, keys }: { sql: Sql; keys: NetworkKeys },
  { sessions, operations, errors }: Batch,
): Promise<void> {
  const marks = await hashed(keys, sessions);
  await sql.query(
    `WITH sessions AS (
       INSERT INTO session_day AS s (day, network, flags)
       SELECT u.day, u.network, bit_or(u.flags)
       FROM unnest($1::text[], $2::bytea[], $3::smallint[])
         AS u (day, network, flags)
       GROUP BY u.day, u.network ORDER BY u.day, u.network
       ON CONFLICT (day, network) DO UPDATE SET flags = s.flags | excluded.flags
         WHERE s.flags | excluded.flags <> s.flags
     ), operations AS (
       INSERT INTO operation_day AS o (day, operation, total)
       SELECT * FROM unnest($4::text[], $5::text[], $6::bigint[])
         AS u (day, operation, total) ORDER BY 1, 2
       ON CONFLICT (day, operation)
         DO UPDATE SET total = o.total + excluded.total
     )
     INSERT INTO request_error_day AS e (day, operation, code, total)
     SELECT * FROM unnest($7::text[], $8::text[], $9::text[], $10::bigint[])
       AS u (day, operation, code, total) ORDER BY 1, 2, 3
     ON CONFLICT (day, operation, code)
       DO UPDATE SET total = e.total + excluded.total`,
    [
      marks.map(({ day }) => day),
      marks.map(({ name }) => name),
      marks.map(({ flags }) => flags),
      operations.map(({ day }) => day),
      operations.map(({ operation }) => operation),
      operations.map(({ total }) => total),
      errors.map(({ day }) => day),
      errors.map(({ operation }) => operation),
      errors.map(({ code }) => code),
      errors.map(({ total }) => total),
    ],
  );
}

type Mark = { day: string; name: Buffer; flags: number };

/**
 * Networks under the key of their day. One that waited until that key is gone
 * counts nowhere.
 */
async function hashed(
  keys: NetworkKeys,
  sessions: Batch['sessions'],
): Promise<Mark[]> {
  const marks: Mark[] = [];
  for (const { day, network, flags } of sessions) {
    const counters = await keys.counterKeys(network);
    if (day === counters.day) marks.push({ day, name: counters.today, flags });
    else if (day === dayBefore(counters.day)) {
      marks.push({ day, name: counters.yesterday, flags });
    }
  }
  return marks;
}

function dayBefore(day: string): string {
  const before = Date.parse(`${day}T00:00:00Z`) - 86_400_000;
  return new Date(before).toISOString().slice(0, 10);
}
