import { DAY_MS } from '../../clock.js';
import {
  type BudgetWindow,
  COUNTERS,
  type CountedLimit,
} from '../../db/budgets.js';
import type { LimitName, Limits } from '../../limits.js';

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

/** Without board-wide ones, whose rest would reveal others' activity. */
export type PolicyName = Exclude<
  Extract<LimitName, `${string}_per_${'network' | 'source'}_${string}`>,
  `mesh_${string}` | `reader_${string}`
>;

export function isPolicy(name: string | undefined): name is PolicyName {
  return /^(?!mesh_|reader_).*_per_(?:network|source)_/.test(name ?? '');
}

export type ReportedLimit = PolicyName & CountedLimit;

/** Counted by the database, not per process (spec/board.md §2.21). */
export function isCounted(name: LimitName): name is ReportedLimit {
  return isPolicy(name) && Object.hasOwn(COUNTERS, name);
}

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
