// By hand: batches by unnest, functions of the database that lock, and counts
// in the statement that spends.
import {
  assertTaken,
  type Spend,
  type Spent,
  type Take,
  type Taken,
  type TakenRow,
  takenOf,
  takeValues,
} from './budgets.js';
import { arraysOf, only, type Sql, type Tx } from './sql.js';

/** SQL: what is used of the reported limits. Parameters as `takeValues`. */
const SPENT = `(SELECT array_agg(c.used ORDER BY a.ord) AS used,
    array_agg(c.oldest ORDER BY a.ord) AS oldest
  FROM unnest($7::text[], $8::bytea[], $9::bytea[], $10::bigint[],
      $11::bigint[]) WITH ORDINALITY AS a (scope, today, old, bound, since, ord)
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS used, min(s.at) AS oldest FROM budget_spend s
    WHERE s.scope = a.scope AND (s.key = a.today OR s.key = a.old)
      AND s.at > a.since AND s.at <= $12) c)`;

/**
 * The first part of a statement that spends for a group of requests: `WITH
 * ${takenWith(columns)} SELECT taken.blocked, taken.used, … FROM taken … ORDER
 * BY taken.ord`. `$1` to `$12` are `attemptValues`; from `$13` on one array per
 * column. MUST be a transaction of its own: its commit does not wait for the
 * disk, and a counter may lose its last moment in a power cut.
 * `groupedAttempts` sorts the group, so that rows are locked in one order.
 */
export function takenWith(columns: Readonly<Record<string, string>>): string {
  const names = Object.keys(columns).join(', ');
  const arrays = Object.values(columns)
    .map((type, at) => `$${at + 13}::${type}[]`)
    .join(', ');
  return `counted AS MATERIALIZED (
    SELECT a.place, array_agg(c.used ORDER BY a.ord) AS used,
      array_agg(c.oldest ORDER BY a.ord) AS oldest
    FROM unnest($7::int[], $8::text[], $9::bytea[], $10::bytea[],
        $11::bigint[], $12::bigint[]) WITH ORDINALITY
        AS a (place, scope, today, old, since, until, ord)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS used, min(s.at) AS oldest FROM budget_spend s
      WHERE s.scope = a.scope AND (s.key = a.today OR s.key = a.old)
        AND s.at > a.since AND s.at <= a.until) c
    GROUP BY a.place
  ), spent AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true), ${names}, ord,
      ARRAY[budget_take(scope, today, old, bound, since, at)] AS blocked
    FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bigint[],
      $5::bigint[], $6::bigint[], ${arrays}) WITH ORDINALITY
      AS a (scope, today, old, bound, since, at, ${names}, ord)
  ), taken AS (
    SELECT spent.*, counted.used, counted.oldest
    FROM spent LEFT JOIN counted ON counted.place = spent.ord
  )`;
}

/** Spends all counters when all limits have room, else none. */
export async function takeAll(sql: Sql, take: Take): Promise<Taken> {
  const rows = await sql.query<TakenRow>(
    `SELECT budget_take_all($1, $2, $3, $4, $5, $6) AS blocked, spent.*
     FROM ${SPENT} AS spent`,
    takeValues(take),
  );
  return takenOf(take, only(rows));
}

/** @throws BoardError `rate_limited`; scope: the longest wait. */
export async function takeBudgets(sql: Sql, take: Take): Promise<Spent[]> {
  return assertTaken(await takeAll(sql, take));
}

/** Spends what was checked under a lock of the same transaction. */
export async function spendBudgets(
  tx: Tx,
  spends: readonly Spend[],
  now: number,
): Promise<void> {
  await tx.query(
    `SELECT budget_spend_one(s.scope, s.key, $3)
     FROM unnest($1::text[], $2::bytea[]) AS s (scope, key)`,
    [...arraysOf(spends, 'scope', 'key'), now],
  );
}
