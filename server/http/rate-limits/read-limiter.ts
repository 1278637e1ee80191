import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.js';
import { COUNTERS } from '../../db/budgets.js';
import { BoardError } from '../../errors.js';
import type { LimitName, Limits } from '../../limits.js';
import {
  NetworkNames,
  requestNetwork,
  type TrustedProxies,
} from '../network.js';
import { NO_TURN, type RequestState, requestState } from '../request-state.js';
import { costOf } from '../send.js';
import { DearTurns } from './dear-turns.js';
import {
  type Budget,
  isCounted,
  type Left,
  PLACES,
  type Places,
  type PolicyName,
  policyText,
  type ReadLimit,
  type ReadPolicy,
  type Remaining,
  WINDOW_MS,
} from './policies.js';

const BUCKETS = 60;
const MAX_COUNTERS = 50_000;

type Counter = { slot: number; counts: Float64Array; sum: number };

/**
 * In memory; a window is 60 slots. Networks under a key of this process. Long,
 * as every read passes counter, headers, turns and the handlers that join them.
 */
export class ReadLimiter {
  private readonly counters = new LRUCache<string, Counter>({
    max: MAX_COUNTERS,
  });
  private readonly names = new NetworkNames();
  private readonly turns = new DearTurns();
  private readonly waits = new Map<string, number>();
  private readonly waiting: Record<Places, number> = { board: 0, mesh: 0 };

  /** As in `RateLimit-Policy`. */
  private readonly policies = new Map<PolicyName, string>();

  constructor(
    private readonly limits: Limits,
    private readonly clock: Clock,
  ) {}

  policyOf(limit: PolicyName): string {
    const known = this.policies.get(limit);
    if (known !== undefined) return known;
    const window = isCounted(limit) ? COUNTERS[limit][1] : WINDOW_MS[limit];
    const text = policyText(limit, window, this.limits);
    this.policies.set(limit, text);
    return text;
  }

  /** @throws BoardError `rate_limited` above the limit. */
  take(limit: ReadLimit, network: Uint8Array): Left {
    const counter = this.counterOf(limit, network);
    const used = this.usedBelow(limit, counter);
    spend(counter, 1);
    const remaining = Math.max(0, this.limits[limit] - used - 1);
    return { remaining, seconds: secondsLeft(limit, counter) };
  }

  /** For amounts known only afterwards. */
  assertRoom(limit: ReadLimit, network: Uint8Array): void {
    this.usedBelow(limit, this.counterOf(limit, network));
  }

  hasRoom(limit: ReadLimit, network: Uint8Array): boolean {
    return this.counterOf(limit, network).sum < this.limits[limit];
  }

  add(limit: ReadLimit, network: Uint8Array, amount: number): void {
    spend(this.counterOf(limit, network), amount);
  }

  /** Its next reads take turns. */
  noteDear(network: Uint8Array): void {
    this.turns.note(this.names.of(network));
  }

  /** `state` leaves it; then nothing of the turn is kept. */
  enterTurn(network: Uint8Array, state: RequestState, begin: () => void): void {
    const leave = this.turns.enter(this.names.of(network), begin);
    state.leaveTurn = () => {
      state.leaveTurn = NO_TURN;
      leave();
    };
  }

  private usedBelow(limit: ReadLimit, counter: Counter): number {
    const { sum: used } = counter;
    if (used < this.limits[limit]) return used;
    throw tooMany(limit, secondsLeft(limit, counter));
  }

  private counterOf(limit: ReadLimit, network: Uint8Array): Counter {
    const slot = Math.floor(this.clock.now() / (WINDOW_MS[limit] / BUCKETS));
    const name = `${limit} ${this.names.of(network)}`;
    const known = this.counters.get(name);
    if (known !== undefined) {
      forward(known, slot);
      return known;
    }
    const counter = { slot, counts: new Float64Array(BUCKETS), sum: 0 };
    this.counters.set(name, counter);
    return counter;
  }

  /**
   * Until `leaveWait`.
   * @throws BoardError `rate_limited` when network or board is full
   */
  enterWait(network: Uint8Array, places: Places = 'board'): void {
    const [perNetwork, total] = PLACES[places];
    const name = this.placeOf(network, places);
    const held = this.waits.get(name) ?? 0;
    if (held >= this.limits[perNetwork]) throw tooMany(perNetwork, 1);
    if (this.waiting[places] >= this.limits[total]) throw tooMany(total, 1);
    this.waits.set(name, held + 1);
    this.waiting[places] += 1;
  }

  leaveWait(network: Uint8Array, places: Places = 'board'): void {
    const name = this.placeOf(network, places);
    this.waiting[places] -= 1;
    const others = (this.waits.get(name) ?? 1) - 1;
    if (others === 0) this.waits.delete(name);
    else this.waits.set(name, others);
  }

  taken(places: Places): number {
    return this.waiting[places];
  }

  private placeOf(network: Uint8Array, places: Places): string {
    return `${places} ${this.names.of(network)}`;
  }
}

function spend(counter: Counter, amount: number): void {
  const { counts, slot } = counter;
  const at = slot % BUCKETS;
  counts[at] = (counts[at] ?? 0) + amount;
  counter.sum += amount;
}

/** Until the oldest counted read leaves the window. */
function secondsLeft(limit: ReadLimit, counter: Counter): number {
  const slotSeconds = WINDOW_MS[limit] / BUCKETS / 1000;
  for (let age = BUCKETS - 1; age >= 0; age -= 1) {
    const at = (counter.slot - age + BUCKETS) % BUCKETS;
    if ((counter.counts[at] ?? 0) > 0) return (BUCKETS - age) * slotSeconds;
  }
  return slotSeconds;
}

/** Empties passed slots. */
function forward(counter: Counter, slot: number): void {
  const passed = Math.min(Math.max(slot - counter.slot, 0), BUCKETS);
  if (passed === 0) return;
  for (let step = 1; step <= passed; step += 1) {
    counter.counts[(counter.slot + step) % BUCKETS] = 0;
  }
  if (slot - counter.slot > BUCKETS) counter.counts.fill(0);
  counter.slot = slot;
  counter.sum = counter.counts.reduce((sum, count) => sum + count, 0);
}

function tooMany(scope: LimitName, seconds: number): BoardError {
  const wait = Math.max(1, Math.ceil(seconds));
  return new BoardError(
    'rate_limited',
    `The limit ${scope} is used up; wait ${wait} s, keep your cursor and ask again.`,
    { scope, retry_after_seconds: wait },
  );
}

function add(res: Response, name: string, items: readonly string[]): void {
  const before = res.getHeader(name);
  const all = before === undefined ? items : [String(before), ...items];
  if (all.length > 0) res.setHeader(name, all.join(', '));
}

/** `RateLimit-Policy`: `"writes_per_network_minute";q=6;w=60, …`. */
export function addPolicies(
  res: Response,
  names: readonly PolicyName[],
  { readLimiter }: Pick<ReadLimits, 'readLimiter'>,
): void {
  const items = names.map((name) => readLimiter.policyOf(name));
  add(res, 'RateLimit-Policy', items);
}

/** In both headers. */
export function addBudgets(res: Response, budgets: readonly Budget[]): void {
  add(
    res,
    'RateLimit-Policy',
    budgets.map(({ policy }) => policy),
  );
  const counted = budgets.flatMap(
    ({ limit, remaining, resets_in_seconds: seconds }) =>
      remaining === null
        ? []
        : [remainingItem({ limit, remaining, seconds: seconds || null })],
  );
  add(res, 'RateLimit', counted);
}

/** `"writes_per_network_minute";r=4;t=37, …` (draft-…-ratelimit-headers-11) */
export function addRemaining(
  res: Response,
  remaining: readonly Remaining[],
): void {
  add(res, 'RateLimit', remaining.map(remainingItem));
}

function remainingItem({ limit, remaining, seconds }: Remaining): string {
  const after = seconds === null ? '' : `;t=${seconds}`;
  return `"${limit}";r=${Math.max(0, remaining)}${after}`;
}

/** As an item of `RateLimit`. */
export function readsLeft(left: Left): string {
  return remainingItem({ limit: READS, ...left });
}

/** What limits the requests of networks. */
export type ReadLimits = {
  readonly limits: Limits;
  readonly readLimiter: ReadLimiter;
  readonly trustedProxies: TrustedProxies;
};

/**
 * Adds the rest to the answer.
 * @throws BoardError `rate_limited` above the limit
 */
export function takeRead(
  ctx: Pick<ReadLimits, 'readLimiter'>,
  res: Response,
  limit: ReadPolicy,
  network: Uint8Array,
): void {
  requestState(res.req).isCharged = true;
  addPolicies(res, [limit], ctx);
  addRemaining(res, [{ limit, ...ctx.readLimiter.take(limit, network) }]);
}

const READS = 'reads_per_network_minute';

/** Sent even above the limit; the next one is refused (spec/board.md §2.21). */
function chargeMore(
  { readLimiter }: Pick<ReadLimits, 'readLimiter'>,
  req: Request,
  res: Response,
  network: Uint8Array,
): void {
  const state = requestState(req);
  state.charge = (bytes, isSent) => {
    state.leaveTurn(); // it is made; who reads it slowly keeps nobody waiting
    const more = costOf(bytes, state.cost) - 1;
    if (more === 0) return;
    readLimiter.noteDear(network);
    if (!isSent) return;
    readLimiter.add(READS, network, more);
    const left = String(res.getHeader('RateLimit')).replace(
      /(?<="reads_per_network_minute";r=)\d+/,
      (before) => String(Math.max(0, Number(before) - more)),
    );
    res.setHeader('RateLimit', left);
  };
}

/** For writes without a limit that leave a row. */
export function countRead(ctx: ReadLimits): RequestHandler {
  return (req, res, next) => {
    const network = requestNetwork(req, ctx.trustedProxies);
    takeRead(ctx, res, READS, network);
    chargeMore(ctx, req, res, network);
    // Requests inside /mcp take their own turns.
    if (req.method === 'POST') return next();
    const state = requestState(req);
    ctx.readLimiter.enterTurn(network, state, () => {
      if (!res.destroyed) next();
    });
    if (res.destroyed) state.leaveTurn();
    else res.on('close', () => state.leaveTurn());
  };
}

/** GETs only (spec/board.md §2.21). */
export function countReads(ctx: ReadLimits): RequestHandler {
  const one = countRead(ctx);
  return (req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') one(req, res, next);
    else next();
  };
}

const REFUSED = 'refused_per_network_minute';

/**
 * For refused writes without a limit of their own; above it they are refused
 * unread (spec/board.md §2.21).
 * @param others methods with their own limits
 */
export function countRefusals(
  { readLimiter, trustedProxies }: ReadLimits,
  others: readonly string[],
): RequestHandler {
  const free = new Set(['OPTIONS', ...others]);
  return (req, res, next) => {
    const state = requestState(req);
    if (state.isWatched || free.has(req.method)) return next();
    state.isWatched = true;
    const network = requestNetwork(req, trustedProxies);
    readLimiter.assertRoom(REFUSED, network);
    res.on('close', () => {
      const { statusCode: status } = res;
      const isRefused = status >= 400 && status < 500 && status !== 429;
      if (!isRefused || state.isCharged) return;
      readLimiter.add(REFUSED, network, 1);
    });
    next();
  };
}
