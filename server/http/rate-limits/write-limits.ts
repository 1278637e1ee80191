import { createHmac, randomBytes } from 'node:crypto';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { In } from 'typeorm';
import { type Clock, DAY_MS, utcDay, utcDayStart } from '../../clock.js';
import {
  type BudgetCheck,
  type CounterKeys,
  checkOf,
  networkKey,
  type Spent,
} from '../../db/budgets.js';
import { takeBudgets } from '../../db/budgets.sql.js';
import { DayKey } from '../../db/entities/budget.js';
import { insertNew } from '../../db/insert-new.js';
import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import type { LimitName, Limits } from '../../limits.js';
import { requestNetwork } from '../network.js';
import { requestState } from '../request-state.js';
import { isPolicy, type Remaining, type ReportedLimit } from './policies.js';
import {
  addBudgets,
  addPolicies,
  addRemaining,
  type ReadLimits,
} from './read-limiter.js';

export type RelayTags = { day: string; today: Buffer; tomorrow: Buffer };

const RELAY_USE = 'reserve-board/relay-network/v1';

/** Random daily keys, erased once no window needs them. */
export class NetworkKeys {
  private readonly cache = new Map<string, Buffer>();
  /** A connection's requests share their network (`requestNetwork`). */
  private readonly known = new WeakMap<Uint8Array, CounterKeys>();

  constructor(
    private readonly db: Sql,
    private readonly clock: Clock,
  ) {}

  async counterKeys(network: Uint8Array): Promise<CounterKeys> {
    const now = this.clock.now();
    const day = utcDay(now);
    const known = this.known.get(network);
    if (known?.day === day) return known;
    const keys = [now - DAY_MS, now, now + DAY_MS].map(utcDay);
    const [yesterday, today, tomorrow] = await this.dayKeys(keys);
    const name = (key: Buffer | undefined) =>
      createHmac('sha256', key ?? Buffer.alloc(0))
        .update(network)
        .digest();
    const named = {
      day,
      yesterday: name(yesterday),
      today: name(today),
      tomorrow: name(tomorrow),
    };
    this.known.set(network, named);
    return named;
  }

  /**
   * For another board, which limits a network without learning it (spec/mesh.md
   * §B10): 16 bytes, today's and tomorrow's.
   */
  async relayTags(network: Uint8Array): Promise<RelayTags> {
    const now = this.clock.now();
    const days = [now - DAY_MS, now, now + DAY_MS].map(utcDay);
    const tags = (await this.dayKeys(days)).map((key) => {
      const secret = createHmac('sha256', key).update(RELAY_USE).digest();
      return createHmac('sha256', secret)
        .update(network)
        .digest()
        .subarray(0, 16);
    });
    const [, today = Buffer.alloc(16), tomorrow = today] = tags;
    return { day: utcDay(now), today, tomorrow };
  }

  private async dayKeys(wanted: string[]): Promise<Buffer[]> {
    const missing = wanted.filter((day) => !this.cache.has(day));
    if (missing.length > 0) {
      const made = missing.map((day) => ({ day, key: randomBytes(32) }));
      await insertNew(this.db, DayKey, made);
      const known = { day: In(missing) };
      const rows = await this.db.manager.findBy(DayKey, known);
      for (const row of rows) this.cache.set(row.day, row.key);
      this.forgetOldDays(wanted[0] ?? '');
    }
    return wanted.map((day) => this.cache.get(day) ?? Buffer.alloc(0));
  }

  private forgetOldDays(oldest: string): void {
    for (const day of this.cache.keys()) {
      if (day < oldest) this.cache.delete(day);
    }
  }
}

/** Counting more costs too much. */
const COUNTED_UP_TO = 1000;

/** Else answers have the policy only. */
export function isCountable(limit: LimitName, limits: Limits): boolean {
  return limits[limit] <= COUNTED_UP_TO;
}

/** As checks of its network. */
export function reportedChecks(
  limits: Limits,
  names: readonly ReportedLimit[],
  counters: CounterKeys,
): BudgetCheck[] {
  const key = networkKey(counters);
  return names
    .filter((limit) => isCountable(limit, limits))
    .map((limit) => checkOf(limit, key));
}

type WriteLimits = ReadLimits & {
  readonly networkKeys: NetworkKeys;
  readonly writes: Sql;
  readonly clock: Clock;
};

/**
 * `RateLimit-Policy` and `RateLimit` with the write's own spending, counted by
 * its statement (`RequestState.spent`) or, for an exact retry, here. Only the
 * policy without a count. `RequestState.budgets`: limits of the next request.
 */
export async function addWriteLimits(
  ctx: WriteLimits,
  req: Request,
  res: Response,
  names: readonly ReportedLimit[],
): Promise<void> {
  const { networkKeys, trustedProxies, writes, clock, limits } = ctx;
  addPolicies(res, names, ctx);
  const now = clock.now();
  const spentBefore = async () => {
    const network = requestNetwork(req, trustedProxies);
    const counters = await networkKeys.counterKeys(network);
    const reported = reportedChecks(limits, names, counters);
    if (reported.length === 0) return [];
    return await takeBudgets(writes, { checks: [], reported, limits, now });
  };
  try {
    const spent = requestState(req).spent ?? (await spentBefore());
    const left = spent.map((one) => remainingOf(one, limits, now));
    addRemaining(res, left);
    addBudgets(res, requestState(req).budgets);
  } catch {
    // A hint is not worth failing the answer.
  }
}

export function remainingOf(
  { limit, window, used, oldest }: Spent,
  limits: Limits,
  now: number,
): Remaining {
  const free =
    window === 'day' ? utcDayStart(now) + DAY_MS : (oldest ?? 0) + window;
  return {
    limit,
    remaining: limits[limit] - used,
    seconds:
      oldest === null ? null : Math.max(1, Math.ceil((free - now) / 1000)),
  };
}

/** Nothing else may contradict its Retry-After. */
export function rateLimitErrors(
  ctx: Pick<ReadLimits, 'readLimiter'>,
): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (!res.headersSent && error instanceof BoardError) {
      const { scope, retry_after_seconds: seconds } = error.extras;
      const over = error.status === 429 && seconds !== undefined;
      if (over) {
        res.removeHeader('RateLimit');
        res.removeHeader('RateLimit-Policy');
      }
      if (over && isPolicy(scope)) {
        addPolicies(res, [scope], ctx);
        addRemaining(res, [{ limit: scope, remaining: 0, seconds }]);
      }
    }
    next(error);
  };
}
