import type { ErrorRequestHandler, Response } from 'express';
import type { BudgetScope, BudgetWindow } from '../../db/budgets.js';
import { windows } from '../../db/budgets.js';
import { BoardError } from '../../errors.js';
import type { LimitName, Limits } from '../../limits.js';
import type { Left } from './read-limiter.js';

/** A limit of the caller's own network: what it counts, and for how long. */
type Policy = { window: BudgetWindow; scope: BudgetScope | null };

const { minute, tenMinutes, hour, day } = windows;
const counted = (scope: BudgetScope, window: BudgetWindow): Policy => ({
  scope,
  window,
});
/** Counted per process and not in the database (spec/board.md §2.21). */
const reading = (window: BudgetWindow): Policy => ({ scope: null, window });

/**
 * The limits that answers tell of. Board-wide ones are not among them: what is
 * left of those would tell what others do.
 */
export const POLICIES = {
  reads_per_network_minute: reading(minute),
  searches_per_network_minute: reading(minute),
  exports_per_network_hour: reading(hour),
  previews_per_network_hour: counted('preview', hour),
  publish_attempts_per_network_minute: counted('publish_attempt', minute),
  writes_per_network_minute: counted('write', minute),
  writes_per_network_hour: counted('write', hour),
  topics_per_source_hour: counted('topic', hour),
  topics_per_source_day: counted('topic', day),
  ballot_previews_per_network_hour: counted('ballot_preview', hour),
  ballot_attempts_per_network_minute: counted('ballot_attempt', minute),
  ballots_per_network_minute: counted('ballot', minute),
  ballots_per_network_hour: counted('ballot', hour),
  reports_per_network_10_minutes: counted('report', tenMinutes),
  reports_per_network_day: counted('report', day),
  keys_per_network_hour: counted('key', hour),
} as const satisfies Partial<Record<LimitName, Policy>>;

export type PolicyName = keyof typeof POLICIES;

/** What is left of a limit, and in how many seconds more of it will be. */
export type Standing = {
  limit: PolicyName;
  remaining: number;
  /** Null while nothing of it is used. */
  seconds: number | null;
};

const DAY_SECONDS = 86_400;

function add(res: Response, name: string, items: readonly string[]): void {
  const before = res.getHeader(name);
  const all = before === undefined ? items : [String(before), ...items];
  if (all.length > 0) res.setHeader(name, all.join(', '));
}

/** `RateLimit-Policy`: `"writes_per_network_minute";q=6;w=60, …`. */
export function tellPolicies(
  res: Response,
  names: readonly PolicyName[],
  limits: Limits,
): void {
  const items = names.map((name) => policyItem(name, limits));
  add(res, 'RateLimit-Policy', items);
}

/** One item of `RateLimit-Policy`. */
export function policyItem(name: PolicyName, limits: Limits): string {
  const { window } = POLICIES[name];
  const seconds = window === 'day' ? DAY_SECONDS : window / 1000;
  return `"${name}";q=${limits[name]};w=${seconds}`;
}

/**
 * `RateLimit`: `"writes_per_network_minute";r=4;t=37, …` after
 * draft-ietf-httpapi-ratelimit-headers-11.
 */
export function tellStandings(
  res: Response,
  standings: readonly Standing[],
): void {
  add(res, 'RateLimit', standings.map(standingItem));
}

/** One item of `RateLimit`. */
function standingItem({ limit, remaining, seconds }: Standing): string {
  const after = seconds === null ? '' : `;t=${seconds}`;
  return `"${limit}";r=${Math.max(0, remaining)}${after}`;
}

/** What is left of a network's reads, as `RateLimit` tells it. */
export function readsLeft(left: Left): string {
  return standingItem({ limit: 'reads_per_network_minute', ...left });
}

export function isPolicy(name: string | undefined): name is PolicyName {
  return name !== undefined && Object.hasOwn(POLICIES, name);
}

/**
 * Tells of the limit that a 429 names and of no other, so that nothing in the
 * answer points beyond its Retry-After.
 */
export function rateLimitErrors(limits: Limits): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (!res.headersSent && error instanceof BoardError) {
      const { scope, retry_after_seconds: seconds } = error.extras;
      const over = error.status === 429 && seconds !== undefined;
      if (over) for (const name of HEADERS) res.removeHeader(name);
      if (over && isPolicy(scope)) {
        tellPolicies(res, [scope], limits);
        tellStandings(res, [{ limit: scope, remaining: 0, seconds }]);
      }
    }
    next(error);
  };
}

const HEADERS = ['RateLimit', 'RateLimit-Policy'] as const;
