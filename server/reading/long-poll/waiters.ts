import type { ServerResponse } from 'node:http';
import type { Context } from '../../context.js';
import { requestState } from '../../http/request-state.js';

export type Waiter = {
  readonly res: ServerResponse;
  readonly network: Uint8Array;
  readonly since: number;
  /** By `performance.now()`. */
  readonly until: number;
  /** Has looked and waits. */
  held: boolean;
  readonly responder: Responder;
};

/** Each waiter gets one answer. */
export type Responder = {
  answer(waiter: Waiter, json: Buffer): void;
  /** After a group's answers. */
  finish(waiter: Waiter): void;
  fail(waiter: Waiter, error: unknown): void;
};

type Parts = Pick<Context, 'readLimiter' | 'stopping'>;

/** Ordered by time limit, with one timer for all. */
export class Waiters {
  held = 0;
  private readonly all = new Map<ServerResponse, Waiter>();
  private readonly gone: (this: ServerResponse) => void;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly parts: Parts,
    private readonly whenDue: () => void,
    private readonly whenEmpty: () => void,
  ) {
    const goes = (res: ServerResponse) => {
      const waiter = this.all.get(res);
      if (waiter === undefined) return;
      this.remove(waiter);
      this.leavePlace(waiter);
    };
    this.gone = function gone(this: ServerResponse) {
      goes(this);
    };
  }

  get size(): number {
    return this.all.size;
  }

  add(waiter: Waiter): void {
    this.all.set(waiter.res, waiter);
    waiter.res.on('close', this.gone);
    this.setTimer(performance.now());
  }

  has({ res }: Waiter): boolean {
    return this.all.has(res);
  }

  /** @throws BoardError `rate_limited` without a free place */
  hold(waiter: Waiter): void {
    if (waiter.held) return;
    requestState(waiter.res.req).leaveTurn();
    this.parts.readLimiter.enterWait(waiter.network);
    waiter.held = true;
    this.held += 1;
  }

  allHeld(): Waiter[] {
    return [...this.all.values()].filter(({ held }) => held);
  }

  allDue(now: number): Waiter[] {
    const due: Waiter[] = [];
    for (const waiter of this.all.values()) {
      if (!this.isOver(waiter, now)) break;
      if (waiter.held) due.push(waiter);
    }
    return due;
  }

  isOver({ until }: Waiter, now = performance.now()): boolean {
    return this.parts.stopping.aborted || now >= until;
  }

  answer(waiters: readonly Waiter[], json: Buffer): void {
    this.answerEach(waiters, () => json);
  }

  answerEach(
    waiters: readonly Waiter[],
    jsonFor: (waiter: Waiter) => Buffer,
  ): void {
    const answer = (one: Waiter) => one.responder.answer(one, jsonFor(one));
    const finish = (one: Waiter) => one.responder.finish(one);
    this.end(waiters, answer, () => byTurns(waiters, unlessGone(finish)));
  }

  fail(waiters: readonly Waiter[], error: unknown): void {
    this.end(waiters, (one) => one.responder.fail(one, error));
  }

  /** MUST get the time at which others were ended, or one could stay. */
  setTimer(now: number): void {
    if (this.timer !== undefined) return;
    for (const { until } of this.all.values()) {
      if (until <= now) continue;
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.whenDue();
      }, until - now);
      return;
    }
  }

  private end(
    waiters: readonly Waiter[],
    work: (waiter: Waiter) => void,
    then?: () => void,
  ): void {
    for (const waiter of waiters) this.remove(waiter);
    const answer = unlessGone(work);
    const end = (waiter: Waiter) => {
      this.leavePlace(waiter);
      answer(waiter);
    };
    byTurns(waiters, end, then);
  }

  private remove(waiter: Waiter): void {
    this.all.delete(waiter.res);
    if (waiter.held) this.held -= 1;
    if (this.all.size > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.whenEmpty();
  }

  private leavePlace({ held, network }: Waiter): void {
    if (held) this.parts.readLimiter.leaveWait(network);
  }
}

/** Skips waiters whose client is gone. */
function unlessGone(work: (waiter: Waiter) => void): (waiter: Waiter) => void {
  return (waiter) => {
    if (!waiter.res.destroyed) work(waiter);
  };
}

/** Of one turn of the event loop. */
const TURN_MS = 8;

/** In order, a few milliseconds per turn; `then` follows the last. */
export function byTurns<T>(
  items: readonly T[],
  work: (item: T) => void,
  then = () => {},
): void {
  const rest = items.values();
  const turn = () => {
    const end = performance.now() + TURN_MS;
    for (let one = rest.next(); !one.done; one = rest.next()) {
      work(one.value);
      if (performance.now() < end) continue;
      setImmediate(turn);
      return;
    }
    then();
  };
  turn();
}
