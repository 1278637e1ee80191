import { DAY_MS } from '../../clock.js';
import {
  type BudgetScope,
  type BudgetWindow,
  windows,
} from '../../db/budgets.js';
import type { LimitName, Limits } from '../../limits.js';

/**
 * A limit of the caller's own network: for how long it counts, and its counter
 * in the database. Reads are counted per process (spec/board.md §2.21).
 */
type Policy = { window: BudgetWindow; scope: BudgetScope | null };

const { minute, tenMinutes, hour, day } = windows;
const reading = (window: BudgetWindow): Policy => ({ window, scope: null });
const counted = (scope: BudgetScope, window: BudgetWindow): Policy => {
  return { window, scope };
};

/**
 * The limits that answers report. Board-wide ones are not among them: what is
 * left of those would show what others do.
 */
export const POLICIES = {
  reads_per_network_minute: reading(minute),
  searches_per_network_minute: reading(minute),
  exports_per_network_hour: reading(hour),
  refused_per_network_minute: reading(minute),
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

/** Window in ms of each limit that is counted per process (spec/board.md §2.21). */
export const WINDOW_MS = {
  reads_per_network_minute: 60_000,
  searches_per_network_minute: 60_000,
  exports_per_network_hour: 3_600_000,
  refused_per_network_minute: 60_000,
  mesh_gets_per_network_minute: 60_000,
  mesh_get_bytes_per_network_minute: 60_000,
  mesh_hints_per_network_minute: 60_000,
  mesh_cosigns_per_network_minute: 60_000,
} as const satisfies Partial<Record<LimitName, number>>;

export type ReadLimit = keyof typeof WINDOW_MS;

/** Long polls of the board's own readers, and those of other boards. */
export const PLACES = {
  board: ['waits_per_network', 'waits_per_board'],
  mesh: ['mesh_waits_per_network', 'mesh_waits_total'],
} as const satisfies Record<string, readonly [LimitName, LimitName]>;

export type Places = keyof typeof PLACES;

/** A limit of reads that answers report. */
export type ReadPolicy = PolicyName & ReadLimit;

/** What is left of a limit, and seconds until the oldest read leaves it. */
export type Left = { remaining: number; seconds: number };

/** What is left of a limit, and in how many seconds more of it will be. */
export type Remaining = {
  limit: LimitName;
  remaining: number;
  /** Null while nothing of it is used. */
  seconds: number | null;
};

/** How a limit stands that a request does not spend itself. */
export type Budget = {
  limit: LimitName;
  /** As `RateLimit-Policy` writes it. */
  policy: string;
  /** Null where it is too wide to be counted. */
  remaining: number | null;
  /** Until there is more; 0 while nothing is used. */
  resets_in_seconds: number;
};

/**
 * A limit as `RateLimit-Policy` writes it: `"writes_per_network_minute";q=6;w=60`.
 *
 * @param window null of what is counted at one moment, such as open polls.
 */
export function policyText(
  limit: LimitName,
  window: BudgetWindow | null,
  limits: Limits,
): string {
  const quota = `"${limit}";q=${limits[limit]}`;
  if (window === null) return quota;
  return `${quota};w=${(window === 'day' ? DAY_MS : window) / 1000}`;
}
