import { BoardError } from '../errors.js';
import type { LimitName, Limits } from '../limits.js';
import { arraysOf } from './sql.js';

/** Rows dated so far ahead count nowhere (spec/board.md §1.3). */
const FUTURE_MS = 120_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Limits that the database counts (spec/board.md §13): counter, and a rolling
 * window in ms or the `day` from UTC midnight.
 */
export const COUNTERS = {
  previews_per_network_hour: ['preview', HOUR_MS],
  publish_attempts_per_network_minute: ['publish_attempt', MINUTE_MS],
  writes_per_network_minute: ['write', MINUTE_MS],
  writes_per_network_hour: ['write', HOUR_MS],
  writes_per_key_minute: ['write', MINUTE_MS],
  writes_per_key_hour: ['write', HOUR_MS],
  writes_per_board_minute: ['write', MINUTE_MS],
  topics_per_source_hour: ['topic', HOUR_MS],
  topics_per_source_day: ['topic', 'day'],
  ballot_previews_per_network_hour: ['ballot_preview', HOUR_MS],
  ballot_previews_per_board_minute: ['ballot_preview', MINUTE_MS],
  ballot_attempts_per_network_minute: ['ballot_attempt', MINUTE_MS],
  ballot_attempts_per_board_minute: ['ballot_attempt', MINUTE_MS],
  ballots_per_network_minute: ['ballot', MINUTE_MS],
  ballots_per_network_hour: ['ballot', HOUR_MS],
  ballots_per_board_minute: ['ballot', MINUTE_MS],
  reports_per_network_10_minutes: ['report', 10 * MINUTE_MS],
  reports_per_network_day: ['report', 'day'],
  reports_per_board_day: ['report', 'day'],
  reader_visitors_per_network_day: ['reader_visitor', 'day'],
  keys_per_network_hour: ['key', HOUR_MS],
  keys_per_board_hour: ['key', HOUR_MS],
  key_rotations_per_agent_day: ['key_rotation', 'day'],
  mesh_relay_per_peer_minute: ['relay', MINUTE_MS],
  mesh_relay_per_peer_hour: ['relay', HOUR_MS],
} as const satisfies Partial<
  Record<LimitName, readonly [string, BudgetWindow]>
>;

export type CountedLimit = keyof typeof COUNTERS;
export type BudgetScope = (typeof COUNTERS)[CountedLimit][0];

/** A counter: today's name and, for rolling windows, yesterday's. */
export type BudgetKey = { today: Buffer; yesterday: Buffer };

/** The counter names of one network around one day (spec/board.md §1.9). */
export type CounterKeys = {
  /** UTC day, `YYYY-MM-DD`, that `today` belongs to. */
  day: string;
  yesterday: Buffer;
  today: Buffer;
  /** For tickets that live across the next midnight. */
  tomorrow: Buffer;
};

/** `day` counts from UTC midnight, a number is a rolling window in ms. */
export type BudgetWindow = 'day' | number;

export type BudgetCheck = {
  limit: LimitName;
  scope: BudgetScope;
  key: BudgetKey;
  window: BudgetWindow;
  /** How many checks share the limit. */
  parts?: number;
};

export type Spend = { scope: BudgetScope; key: Buffer };

export function counterName(scope: BudgetScope, key: Buffer): string {
  return `${scope} ${key.toString('latin1')}`;
}

/** A limit that has no room, and when it will have some. */
export type Blocked = { limit: LimitName; retryAfterSeconds: number };

const BOARD = Buffer.from('board');

export const boardKey: BudgetKey = { today: BOARD, yesterday: BOARD };

export function networkKey(keys: CounterKeys): BudgetKey {
  return { today: keys.today, yesterday: keys.yesterday };
}

/** A counter of something that does not rotate, such as a signing key. */
export function fixedKey(name: string): BudgetKey {
  const key = Buffer.from(name);
  return { today: key, yesterday: key };
}

export function checkOf(limit: CountedLimit, key: BudgetKey): BudgetCheck {
  const [scope, window] = COUNTERS[limit];
  return { limit, scope, key, window };
}

export function checksOf(
  key: BudgetKey,
  ...limits: readonly CountedLimit[]
): BudgetCheck[] {
  return limits.map((limit) => checkOf(limit, key));
}

export function limitsOf(scope: BudgetScope): CountedLimit[] {
  const limits = Object.keys(COUNTERS) as CountedLimit[];
  return limits.filter((limit) => COUNTERS[limit][0] === scope);
}

/** All limits of a counter: those of the board, and the network's. */
export function counterChecks(
  scope: BudgetScope,
  counters: CounterKeys,
): BudgetCheck[] {
  const network = networkKey(counters);
  return limitsOf(scope).map((limit) =>
    checkOf(limit, limit.includes('_per_board_') ? boardKey : network),
  );
}

/** Exclusive, in ms. */
function since(window: BudgetWindow, now: number): number {
  if (window === 'day') return Math.floor(now / DAY_MS) * DAY_MS - 1;
  return now - window;
}

/** Seconds (1 or more) until the spend at `spent` (ms) leaves the window. */
export function retryAfter(
  window: BudgetWindow,
  spent: number,
  now: number,
): number {
  const free =
    window === 'day'
      ? (Math.floor(now / DAY_MS) + 1) * DAY_MS
      : Math.min(spent + window, now + FUTURE_MS + window);
  return Math.max(1, Math.ceil((free - now) / 1000));
}

export function checkRow(
  { limit, scope, key, window, parts = 1 }: BudgetCheck,
  limits: Limits,
  now: number,
) {
  return {
    scope,
    today: key.today,
    // A calendar day starts with a new key: yesterday's never counts in it.
    old: window === 'day' ? key.today : key.yesterday,
    bound: Math.ceil(limits[limit] / parts),
    since: since(window, now),
  };
}

/** Arrays for `unnest`: text, bytea, bytea, bigint, bigint. */
export function checkColumns(
  checks: readonly BudgetCheck[],
  limits: Limits,
  now: number,
): unknown[] {
  const rows = checks.map((check) => checkRow(check, limits, now));
  return arraysOf(rows, 'scope', 'today', 'old', 'bound', 'since');
}

/** The longest wait that `budget_blocked_by` reported. */
export function blockedLimit(
  checks: readonly BudgetCheck[],
  blocked: readonly (number | null)[],
  now: number,
): Blocked | null {
  let worst: Blocked | null = null;
  checks.forEach((check, at) => {
    const spent = blocked[at] ?? null;
    if (spent === null) return;
    const seconds = retryAfter(check.window, spent, now);
    if (worst === null || seconds > worst.retryAfterSeconds) {
      worst = { limit: check.limit, retryAfterSeconds: seconds };
    }
  });
  return worst;
}

export type Take = {
  checks: readonly BudgetCheck[];
  reported?: readonly BudgetCheck[];
  limits: Limits;
  now: number;
};

/** `$1` to `$12` of a statement that spends and counts. */
export function takeValues({ checks, reported = [], limits, now }: Take) {
  return [
    ...checkColumns(checks, limits, now),
    now,
    ...checkColumns(reported, limits, now),
    windowEnd(now),
  ];
}

/** `blocked`: of each check; `used`: before this spend. Null: nothing. */
export type TakenRow = {
  blocked: (number | null)[];
  used: number[] | null;
  oldest: (number | null)[] | null;
};

/** How much of a limit is used; `oldest` in ms, null while nothing is. */
export type Spent = BudgetCheck & { used: number; oldest: number | null };

/** `blocked`: the limit with the longest wait. `spent`: those reported. */
export type Taken = { blocked: Blocked | null; spent: Spent[] };

export function takenOf(
  { checks, reported = [], now }: Take,
  { blocked, used, oldest }: TakenRow,
): Taken {
  const counted = reported.map((check, at) => ({
    ...check,
    used: used?.[at] ?? 0,
    oldest: oldest?.[at] ?? null,
  }));
  const scopes = checks.map(({ scope }) => scope);
  return {
    blocked: blockedLimit(checks, blocked, now),
    spent: spendMore(counted, scopes, now),
  };
}

export function spendMore(
  spent: readonly Spent[],
  scopes: readonly BudgetScope[],
  now: number,
): Spent[] {
  return spent.map((one) =>
    scopes.includes(one.scope)
      ? { ...one, used: one.used + 1, oldest: one.oldest ?? now }
      : one,
  );
}

/** Later rows come from a wrong clock. */
export function windowEnd(now: number): number {
  return now + FUTURE_MS;
}

/** @throws BoardError `rate_limited` with the limit's name as `scope`. */
export function assertTaken({ blocked, spent }: Taken): Spent[] {
  if (blocked !== null) throw rateLimited(blocked);
  return spent;
}

export function rateLimited(blocked: Blocked): BoardError {
  return new BoardError(
    'rate_limited',
    `The limit ${blocked.limit} is used up; wait ${blocked.retryAfterSeconds} s and send the same request again.`,
    { scope: blocked.limit, retry_after_seconds: blocked.retryAfterSeconds },
  );
}
