// By hand: count and lock in one upsert, lookups of one moment in one
// statement.

import type { BudgetKey } from '../db/budgets.js';
import type { ChallengeLock } from '../db/entities/ticket.js';
import { grouped } from '../db/grouped.js';
import type { Sql } from '../db/sql.js';

export type AnswerScope = {
  scope: Buffer;
  /** Votes and ballots: limits tickets with wrong answers per network. */
  of?: { network: BudgetKey; most: number; expiresAt: number };
};

/** Undefined: too many tickets of the network have wrong answers. */
export async function countWrongAnswer(
  sql: Sql,
  { scope, of }: AnswerScope,
  most: number,
  lockUntil: number,
  now: number,
) {
  type Row = Pick<ChallengeLock, 'wrong'> & { locked_until: number | null };
  const [row] = await sql.query<Row>(
    `INSERT INTO challenge_lock AS l (scope, wrong, locked_until, at, network,
       expires_at)
     SELECT $1, 1, CASE WHEN $2::int <= 1 THEN $3::bigint END, $4::bigint,
       $5::bytea, $6::bigint
     WHERE $5 IS NULL OR EXISTS (SELECT FROM challenge_lock WHERE scope = $1)
       OR (SELECT count(*) FROM challenge_lock
           WHERE network IN ($5, $7::bytea) AND expires_at > $4) < $8::int
     ON CONFLICT (scope) DO UPDATE SET
       wrong = CASE WHEN l.locked_until IS NULL THEN l.wrong + 1
                    WHEN l.locked_until <= $4 THEN 1 ELSE l.wrong END,
       locked_until = CASE
         WHEN l.locked_until > $4 THEN l.locked_until
         WHEN l.locked_until IS NULL AND l.wrong + 1 >= $2 THEN $3
         WHEN l.locked_until IS NOT NULL AND $2 <= 1 THEN $3 END,
       at = $4
     RETURNING wrong, locked_until`,
    [
      scope,
      most,
      lockUntil,
      now,
      of?.network.today ?? null,
      of?.expiresAt ?? null,
      of?.network.yesterday ?? null,
      of?.most ?? null,
    ],
  );
  return row;
}

/** Tickets with wrong answers; `until`: when the first ends to count, in ms. */
export type Failures = { tickets: number; until: number };

export function findFailures(sql: Sql) {
  type Asked = { network: BudgetKey; now: number };
  return grouped(async (asked: readonly Asked[]) => {
    const rows = await sql.query<Failures>(
      `SELECT f.tickets, coalesce(f.until, 0) AS until
       FROM unnest($1::bytea[], $2::bytea[], $3::bigint[]) WITH ORDINALITY
           AS a (today, yesterday, now, ord)
         CROSS JOIN LATERAL (
           SELECT count(*)::int AS tickets, min(expires_at) AS until
           FROM challenge_lock
           WHERE network IN (a.today, a.yesterday) AND expires_at > a.now) f
       ORDER BY a.ord`,
      [
        asked.map(({ network }) => network.today),
        asked.map(({ network }) => network.yesterday),
        asked.map(({ now }) => now),
      ],
    );
    return rows;
  });
}
