import type { Context } from '../../context.js';
import { requestState } from '../../http/request-state.js';
import { SharedReads } from '../shared-reads.js';
import {
  answerFrom,
  nothingSince,
  type UpdatesAnswer,
  type UpdatesOptions,
} from '../updates-answer.js';
import { type Waiter, Waiters } from './waiters.js';

/** One read per message and subscription, however many wait. */
export class UpdatesWaits {
  /** For first looks and streams. */
  readonly shared = new SharedReads<UpdatesAnswer>();
  private readonly subscriptions = new Map<string, UpdatesSubscription>();

  constructor(private readonly ctx: Context) {
    ctx.events.gather('messages', this);
    const endAll = () => {
      for (const subscription of this.subscriptions.values())
        subscription.endDue();
    };
    // After the server has marked open answers as their connections' last.
    const stop = () => queueMicrotask(endAll);
    ctx.stopping.addEventListener('abort', stop, { once: true });
  }

  get size(): number {
    let sum = 0;
    for (const { size } of this.subscriptions.values()) sum += size;
    return sum;
  }

  wake(): void {
    for (const subscription of this.subscriptions.values()) subscription.wake();
  }

  /** The waiter's responder gets the answer. */
  ask(options: UpdatesOptions, waiter: Waiter): void {
    const { key } = options;
    let subscription = this.subscriptions.get(key);
    if (subscription === undefined) {
      subscription = new UpdatesSubscription(
        this.ctx,
        this.shared,
        options,
        () => {
          this.subscriptions.delete(key);
        },
      );
      this.subscriptions.set(key, subscription);
    }
    subscription.enter(waiter);
  }
}

/** Equal options, any cursor: after a first look they wait alike. */
class UpdatesSubscription {
  private readonly waiters: Waiters;
  /** Nothing was found up to here for any held waiter. */
  private edge = Number.POSITIVE_INFINITY;
  private wakes = 0;
  private looking = false;
  private again = false;

  constructor(
    private readonly ctx: Context,
    private readonly shared: SharedReads<UpdatesAnswer>,
    private readonly options: UpdatesOptions,
    whenEmpty: () => void,
  ) {
    this.waiters = new Waiters(ctx, () => this.endDue(), whenEmpty);
  }

  get size(): number {
    return this.waiters.size;
  }

  enter(waiter: Waiter): void {
    this.waiters.add(waiter);
    void this.lookFor(waiter);
  }

  wake(): void {
    this.wakes += 1;
    void this.lookForAll();
  }

  /** Those past their time, or all when the board stops. */
  endDue(): void {
    if (this.looking) return; // its end comes here, with what it found
    const answers = new Map<number, Buffer>();
    const nothing = ({ since }: Waiter) => {
      const json = answers.get(since) ?? nothingSince(this.ctx, since);
      answers.set(since, json);
      return json;
    };
    const now = performance.now();
    this.waiters.answerEach(this.waiters.allDue(now), nothing);
    this.waiters.setTimer(now);
  }

  /** Only this waiter may have missed what is there. */
  private async lookFor(waiter: Waiter): Promise<void> {
    const { since } = waiter;
    // Before the look: a commit in between raises it.
    const { wakes } = this;
    try {
      const seen = await this.shared.get(`${since} ${this.options.key}`, () =>
        answerFrom(this.ctx, { ...this.options, since }, since),
      );
      if (!this.waiters.has(waiter)) return;
      if (seen.found || this.waiters.isOver(waiter)) {
        requestState(waiter.res.req).cost = Math.max(1, seen.cost);
        this.waiters.answer([waiter], seen.json);
        return;
      }
      this.waiters.hold(waiter);
      this.edge = Math.min(this.edge, Math.max(since, seen.newest));
    } catch (error) {
      if (this.waiters.has(waiter)) this.waiters.fail([waiter], error);
      return;
    }
    if (this.wakes !== wakes) void this.lookForAll();
  }

  /** At most one look is under way. */
  private async lookForAll(): Promise<void> {
    this.again = true;
    if (this.looking) return;
    this.looking = true;
    try {
      while (this.again && this.waiters.held > 0) {
        this.again = false;
        const from = this.edge;
        // New waiters lower it to where they looked.
        this.edge = Number.POSITIVE_INFINITY;
        const seen = await answerFrom(this.ctx, this.options, from);
        // Held now: its own look saw less than this one's start.
        if (this.edge < from) {
          this.again = true;
          continue;
        }
        this.edge = Math.min(this.edge, Math.max(from, seen.newest));
        if (seen.found) this.answerHeld(seen);
      }
    } catch (error) {
      this.waiters.fail(this.waiters.allHeld(), error);
    } finally {
      this.looking = false;
      this.endDue();
    }
  }

  /** A waiter for later messages looks alone. */
  private answerHeld({ first, json }: UpdatesAnswer): void {
    const held = this.waiters.allHeld();
    const later = held.filter(({ since }) => since >= first);
    const earlier = held.filter(({ since }) => since < first);
    this.waiters.answer(earlier, json);
    for (const waiter of later) {
      this.edge = Math.min(this.edge, waiter.since);
      void this.lookFor(waiter);
    }
  }
}
