import { BoardError } from '../errors.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';
import type { LimitName, Limits } from '../limits.js';

/**
 * Rows dated later than this after the clock count nowhere (spec/board.md
 * §1.3).
 */
const FUTURE_MS = 120_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Everything that can be spent; several limits may watch one scope. */
export type BudgetScope =
  | 'preview'
  | 'publish_attempt'
  | 'write'
  | 'topic'
  | 'ballot'
  | 'ballot_preview'
  | 'ballot_attempt'
  | 'report'
  | 'key'
  | 'key_rotation'
  | 'relay';

/** A counter: today's name and, for rolling windows, yesterday's. */
export type BudgetKey = { today: Buffer; yesterday: Buffer };

/** `day` counts from UTC midnight, a number is a rolling window in ms. */
export type BudgetWindow = 'day' | number;

/** One limit to check before something is spent. */
export type BudgetCheck = {
  limit: LimitName;
  scope: BudgetScope;
  key: BudgetKey;
  window: BudgetWindow;
};

export type Spend = { scope: BudgetScope; key: Buffer };

/** The row that a spend is counted in, as a name. */
export function counterName(scope: BudgetScope, key: Buffer): string {
  return `${scope} ${key.toString('latin1')}`;
}

/** A limit that has no room, and when it will have some. */
export type Blocked = { limit: LimitName; retryAfterSeconds: number };

export const windows = {
  minute: MINUTE_MS,
  tenMinutes: 10 * MINUTE_MS,
  hour: HOUR_MS,
  rollingDay: DAY_MS,
  day: 'day',
} as const;

const BOARD = Buffer.from('board');

/** The counter of the whole board. */
export const boardKey: BudgetKey = { today: BOARD, yesterday: BOARD };

export function networkKey(keys: CounterKeys): BudgetKey {
  return { today: keys.today, yesterday: keys.yesterday };
}

/** A counter of something that does not rotate, such as a signing key. */
export function fixedKey(name: string): BudgetKey {
  const key = Buffer.from(name);
  return { today: key, yesterday: key };
}

/** Exclusive lower end of a check's window, in ms. */
function since(window: BudgetWindow, now: number): number {
  if (window === 'day') return Math.floor(now / DAY_MS) * DAY_MS - 1;
  return now - window;
}

function retryAfter(window: BudgetWindow, spent: number, now: number): number {
  const free =
    window === 'day'
      ? (Math.floor(now / DAY_MS) + 1) * DAY_MS
      : Math.min(spent + window, now + FUTURE_MS + window);
  return Math.max(1, Math.ceil((free - now) / 1000));
}

/**
 * Parameters of `budget_blocked_by` for several checks, to be unnested as
 * `unnest($a::text[], $b::bytea[], $c::bytea[], $d::bigint[], $e::bigint[])`.
 */
export function checkColumns(
  checks: readonly BudgetCheck[],
  limits: Limits,
  now: number,
): unknown[] {
  return [
    checks.map((check) => check.scope),
    checks.map((check) => check.key.today),
    checks.map((check) =>
      // A calendar day starts with a new key: yesterday's never counts in it.
      check.window === 'day' ? check.key.today : check.key.yesterday,
    ),
    checks.map((check) => limits[check.limit]),
    checks.map((check) => since(check.window, now)),
  ];
}

/** The longest of the waits that `budget_blocked_by` reported, if any. */
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

/** Upper end of every window: later rows are a clock's mistake. */
export function windowEnd(now: number): number {
  return now + FUTURE_MS;
}

/** One budget of one request, to be checked and spent at `now`. */
export type Take = { check: BudgetCheck; now: number };

/**
 * The first part of a statement that checks and spends a budget for each of
 * several requests and then reads what they need: `WITH ${takenWith(columns)}
 * SELECT taken.blocked, … FROM taken …`, `$1` to `$6` from `takeColumns`, and
 * from `$7` an array for each of the columns. For attempts, which are counted
 * whatever becomes of the request. MUST come in the order of `byKey`.
 *
 * Its commit alone does not wait for the disk: all requests of a network meet
 * at one row, and a counter that forgets the last moment before a power cut
 * harms nobody. So it MUST be a transaction of its own, never part of one.
 */
export function takenWith(columns: Readonly<Record<string, string>>): string {
  const names = Object.keys(columns).join(', ');
  const arrays = Object.values(columns)
    .map((type, at) => `$${at + 7}::${type}[]`)
    .join(', ');
  return `taken AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true), ${names}, ord,
      budget_take(scope, today, old, bound, since, at) AS blocked
    FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bigint[],
      $5::bigint[], $6::bigint[], ${arrays}) WITH ORDINALITY
      AS a (scope, today, old, bound, since, at, ${names}, ord)
  )`;
}

export function takeColumns(takes: readonly Take[], limits: Limits): unknown[] {
  return [
    takes.map(({ check }) => check.scope),
    takes.map(({ check }) => check.key.today),
    takes.map(({ check: { key, window } }) =>
      window === 'day' ? key.today : key.yesterday,
    ),
    takes.map(({ check }) => limits[check.limit]),
    takes.map(({ check, now }) => since(check.window, now)),
    takes.map(({ now }) => now),
  ];
}

/** The order in which a group takes: by the row that each locks. */
export function byKey(a: Take, b: Take): number {
  return Buffer.compare(a.check.key.today, b.check.key.today);
}

/** @throws BoardError `rate_limited` with the limit's name as `scope`. */
export function assertTaken(
  check: BudgetCheck,
  spent: number | null,
  now: number,
): void {
  const blocked = blockedLimit([check], [spent], now);
  if (blocked !== null) throw rateLimited(blocked);
}

export function rateLimited(blocked: Blocked): BoardError {
  return new BoardError(
    'rate_limited',
    `The limit ${blocked.limit} is used up; wait ${blocked.retryAfterSeconds} s and send the same request again.`,
    { scope: blocked.limit, retry_after_seconds: blocked.retryAfterSeconds },
  );
}
