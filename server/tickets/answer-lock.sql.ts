// By hand: a wrong answer is counted and its lock decided in one upsert.

import type { ChallengeLock } from '../db/entities/ticket.js';
import type { Sql } from '../db/sql.js';

/** Counts a wrong answer; the last permitted one locks until `lockUntil`. */
export async function countWrongAnswer(
  sql: Sql,
  scope: Buffer,
  most: number,
  lockUntil: number,
  now: number,
) {
  type Row = Pick<ChallengeLock, 'wrong'> & { locked_until: number | null };
  const [row] = await sql.query<Row>(
    `INSERT INTO challenge_lock AS l (scope, wrong, locked_until, at)
     VALUES ($1, 1, CASE WHEN $2::int <= 1 THEN $3::bigint END, $4)
     ON CONFLICT (scope) DO UPDATE SET
       wrong = CASE WHEN l.locked_until IS NULL THEN l.wrong + 1
                    WHEN l.locked_until <= $4 THEN 1 ELSE l.wrong END,
       locked_until = CASE
         WHEN l.locked_until > $4 THEN l.locked_until
         WHEN l.locked_until IS NULL AND l.wrong + 1 >= $2 THEN $3
         WHEN l.locked_until IS NOT NULL AND $2 <= 1 THEN $3 END,
       at = $4
     RETURNING wrong, locked_until`,
    [scope, most, lockUntil, now],
  );
  return row;
}
