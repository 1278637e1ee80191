import {
  type Blocked,
  type BudgetCheck,
  retryAfter,
  type Spent,
  windowEnd,
} from '../../db/budgets.js';
import type { LimitName, Limits } from '../../limits.js';
import { type Budget, policyText } from './policies.js';
import { isCountable, remainingOf } from './write-limits.js';

/**
 * Before the second step; of network and key the tighter one.
 * @param spent of the checks that `isCountable` names
 */
export function budgetsOf(
  checks: readonly BudgetCheck[],
  spent: readonly Spent[],
  limits: Limits,
  now: number,
): Budget[] {
  const budgets = new Map<LimitName, Budget>();
  for (const check of checks) {
    const { limit, window } = check;
    const known = spent.find(
      (one) => one.limit === limit && one.key.today.equals(check.key.today),
    );
    const left = known && remainingOf(known, limits, now);
    const budget = {
      limit,
      policy: policyText(limit, window, limits),
      remaining: left === undefined ? null : Math.max(0, left.remaining),
      resets_in_seconds: left?.seconds ?? 0,
    };
    const other = budgets.get(limit);
    const isLess =
      other === undefined || (budget.remaining ?? 0) < (other.remaining ?? 0);
    if (isLess) budgets.set(limit, budget);
  }
  return [...budgets.values()];
}

/** Longest wait first. */
export function blockedBy(
  spent: readonly Spent[],
  limits: Limits,
  now: number,
): Blocked[] {
  return spent
    .flatMap(({ limit, window, used, oldest }) => {
      const most = limits[limit];
      if (used < most) return [];
      // Above the limit, a later spend than the oldest counts.
      const filling = used > most ? now : (oldest ?? now);
      const at = most <= 0 ? windowEnd(now) : filling;
      return [{ limit, retryAfterSeconds: retryAfter(window, at, now) }];
    })
    .toSorted((a, b) => b.retryAfterSeconds - a.retryAfterSeconds);
}

/** Counted by a preview's statement. */
export function countable(
  checks: readonly BudgetCheck[],
  limits: Limits,
): BudgetCheck[] {
  return checks.filter(({ limit }) => isCountable(limit, limits));
}
