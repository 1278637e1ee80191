import type { Context } from '../../server/context.js';
import { notify } from '../../server/db/connection.sql.js';
import {
  type ErrorBody,
  findOutboxRow,
  type PendingRow,
  storeFailed,
  storePublished,
  storeWaiting,
  takeDue,
} from './outbox-rows.sql.js';
import { neverAnswered, originRefusal } from './relay-errors.js';
import { type Outbound, type Outcome, sendRelay } from './send-relay.js';

/** From the statement's `at` (spec/mesh.md §B10). */
const TRY_MS = 23 * 3_600_000;
const FIRST_MS = 2000;
const LONGEST_MS = 300_000;
/** Longer than a try: how long a process keeps a post. */
export const HOLD_MS = 15_000;
const LOOK_MS = 2000;
const TOGETHER = 16;

/** All state is in the database: after a crash another process goes on. */
export class Outbox {
  private readonly running = new Map<string, Promise<boolean>>();
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<unknown> = Promise.resolve();
  private busy = false;

  constructor(
    private readonly ctx: Context,
    private readonly client: Outbound,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      if (this.busy) return;
      this.looking = this.runOnce().catch((error: unknown) => {
        this.ctx.log.warn({ err: error }, 'the outbox could not be looked at');
      });
    }, LOOK_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.looking;
    await Promise.allSettled(this.running.values());
  }

  /** Returns how many were due. */
  async runOnce(): Promise<number> {
    const { writes, clock, stopping } = this.ctx;
    this.busy = true;
    try {
      for (let done = 0; ; ) {
        const now = clock.now();
        const due = await takeDue(writes, now, now + HOLD_MS, TOGETHER);
        await Promise.all(
          due.map((requestId) => this.attempt(requestId, false)),
        );
        done += due.length;
        if (due.length < TOGETHER || stopping.aborted) return done;
      }
    } finally {
      this.busy = false;
    }
  }

  async attempt(requestId: string, asked: boolean): Promise<boolean> {
    const running = this.running.get(requestId);
    if (running !== undefined) {
      await running;
      return false;
    }
    const attempt = this.tryOnce(requestId, asked);
    this.running.set(requestId, attempt);
    try {
      return await attempt;
    } finally {
      this.running.delete(requestId);
    }
  }

  private async tryOnce(requestId: string, asked: boolean): Promise<boolean> {
    const { writes, clock, stopping } = this.ctx;
    const row = await findOutboxRow(writes, requestId);
    if (row?.state !== 'pending') return false;
    if (clock.now() >= row.datedAt + TRY_MS) {
      await this.fail(row, neverAnswered(row.board).body() as ErrorBody);
      return false;
    }
    const outcome = await sendRelay(this.ctx, this.client, row, stopping);
    return await this.settle(row, outcome, asked);
  }

  private async settle(row: PendingRow, outcome: Outcome, asked: boolean) {
    const { writes, clock } = this.ctx;
    const now = clock.now();
    if (outcome.kind === 'published') {
      const { receipt, fresh } = outcome;
      const first = await storePublished(writes, row.requestId, receipt, now);
      await this.changed();
      return first && fresh;
    }
    // A waiting poster gets the refusal; otherwise the outbox tries again.
    const limited = outcome.error?.error === 'rate_limited';
    const isAnswer = asked && row.tries === 0 && limited;
    if (outcome.kind === 'refused' || isAnswer) {
      const refusal = originRefusal(row.board, outcome.error);
      await this.fail(row, refusal.body() as ErrorBody);
      return false;
    }
    const wait = Math.max(outcome.afterMs ?? 0, this.pause(row.tries));
    // Waiting never passes the last try.
    const nextAt = Math.min(now + wait, row.datedAt + TRY_MS);
    await storeWaiting(writes, row.requestId, nextAt, now);
    return false;
  }

  private async fail(row: PendingRow, error: ErrorBody): Promise<void> {
    const { writes, clock } = this.ctx;
    await storeFailed(writes, row.requestId, error, clock.now());
    await this.changed();
  }

  /** 2 s, doubling, with jitter, at most 5 min. */
  private pause(tries: number): number {
    const whole = Math.min(FIRST_MS * 2 ** tries, LONGEST_MS);
    return Math.max(1000, Math.round(whole * Math.random()));
  }

  /** Also in other processes. */
  private async changed(): Promise<void> {
    this.ctx.events.emit('relays');
    await notify(this.ctx.writes, 'board_log', 'relay');
  }
}
