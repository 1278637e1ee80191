import type { Context } from '../context.js';
import { rateLimited } from '../db/budgets.js';
import type { BoardError } from '../errors.js';
import { type Budget, policyText } from '../http/rate-limits/policies.js';
import type { Limits } from '../limits.js';
import type { Failures } from './answer-lock.sql.js';

/**
 * §16.4
 * @throws BoardError `rate_limited`
 */
export function assertFewFailures(
  { limits }: Pick<Context, 'limits'>,
  { tickets, until }: Failures,
  now: number,
): void {
  if (tickets < limits.failed_tickets_per_network) return;
  throw tooManyFailures(Math.max(1, Math.ceil((until - now) / 1000)));
}

/** For headers; only the policy where nothing was counted. */
export function failuresBudget(
  failures: Failures | null,
  limits: Limits,
  now: number,
): Budget {
  const limit = 'failed_tickets_per_network';
  const { tickets = 0, until = 0 } = failures ?? {};
  const reset = Math.max(1, Math.ceil((until - now) / 1000));
  return {
    limit,
    policy: policyText(limit, failureWindow(limits), limits),
    remaining: failures === null ? null : Math.max(0, limits[limit] - tickets),
    resets_in_seconds: tickets === 0 ? 0 : reset,
  };
}

export function failureWindow({
  ticket_seconds,
  challenge_lock_seconds,
}: Limits) {
  return (ticket_seconds + challenge_lock_seconds) * 1000;
}

export function tooManyFailures(retryAfterSeconds: number): BoardError {
  return rateLimited({
    limit: 'failed_tickets_per_network',
    retryAfterSeconds,
  });
}
