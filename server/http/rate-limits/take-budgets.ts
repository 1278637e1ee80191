import {
  type BudgetCheck,
  blockedLimit,
  checkColumns,
  rateLimited,
  type Spend,
} from '../../db/budgets.js';
import type { Sql, Tx } from '../../db/sql.js';
import type { Limits } from '../../limits.js';

/**
 * Several limits as one step: spends each counter once when all have
 * room, and nothing when one has none. One durable statement.
 * @throws BoardError `rate_limited`, its scope the limit with the longest wait.
 */
export async function takeBudgets(
  sql: Sql,
  checks: readonly BudgetCheck[],
  limits: Limits,
  now: number,
): Promise<void> {
  const [row] = await sql.query<{ blocked: (number | null)[] }>(
    'SELECT budget_take_all($1, $2, $3, $4, $5, $6) AS blocked',
    [...checkColumns(checks, limits, now), now],
  );
  const blocked = blockedLimit(checks, row?.blocked ?? [], now);
  if (blocked !== null) throw rateLimited(blocked);
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
    [spends.map(({ scope }) => scope), spends.map(({ key }) => key), now],
  );
}
