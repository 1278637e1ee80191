import { DAY_MS } from '../../clock.js';
import {
  type BudgetScope,
  type BudgetWindow,
  windows,
} from '../../db/budgets.js';
import type { LimitName, Limits } from '../../limits.js';

/** `scope`: its database counter. Reads count per process (§2.21). */
type Policy = { window: BudgetWindow; scope: BudgetScope | null };

const { minute, tenMinutes, hour, day } = windows;
const reading = (window: BudgetWindow): Policy => ({ window, scope: null });
const counted = (scope: BudgetScope, window: BudgetWindow): Policy => {
  return { window, scope };
};

/** Without board-wide ones, whose rest would reveal others' activity. */
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

/** In ms, of limits per process (spec/board.md §2.21). */
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

/** Long polls of own readers, and of other boards'. */
export const PLACES = {
  board: ['waits_per_network', 'waits_per_board'],
  mesh: ['mesh_waits_per_network', 'mesh_waits_total'],
} as const satisfies Record<string, readonly [LimitName, LimitName]>;

export type Places = keyof typeof PLACES;

/** Reported in answers. */
export type ReadPolicy = PolicyName & ReadLimit;

/** `seconds` until the oldest read leaves the window. */
export type Left = { remaining: number; seconds: number };

/** `seconds` until there is more. */
export type Remaining = {
  limit: LimitName;
  remaining: number;
  /** Null while unused. */
  seconds: number | null;
};

/** Of a limit that the request does not spend. */
export type Budget = {
  limit: LimitName;
  /** As in `RateLimit-Policy`. */
  policy: string;
  /** Null: too wide to be counted. */
  remaining: number | null;
  /** 0 while unused. */
  resets_in_seconds: number;
};

/**
 * `"writes_per_network_minute";q=6;w=60`
 * @param window null for counts of one moment, such as open polls
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
