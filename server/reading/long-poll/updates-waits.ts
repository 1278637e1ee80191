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

/**
 * The waits for updates of a board, by the options of their queries: a message
 * costs one read for each subscription, however many waiters it has. All waits
 * end when the board stops.
 */
export class UpdatesWaits {
  /** First looks, and the pages of streams. */
  readonly shared = new SharedReads<UpdatesAnswer>();
  private readonly subscriptions = new Map<string, UpdatesSubscription>();

  constructor(private readonly ctx: Context) {
    ctx.events.gather('messages', this);
    const endAll = () => {
      for (const subscription of this.subscriptions.values())
        subscription.endDue();
    };
    // First the server makes its open answers the last of their connections.
    const stop = () => queueMicrotask(endAll);
    ctx.stopping.addEventListener('abort', stop, { once: true });
  }

  get size(): number {
    let sum = 0;
    for (const { size } of this.subscriptions.values()) sum += size;
    return sum;
  }

  /** Called at each new message. */
  wake(): void {
    for (const subscription of this.subscriptions.values()) subscription.wake();
  }

  /** Waits for what `options` name; answers through the waiter's responder. */
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

/**
 * All waiters for updates with the same options, whatever their cursors: one
 * that has looked once waits for the same messages as the others.
 */
class UpdatesSubscription {
  private readonly waiters: Waiters;
  /** Up to here nothing was found for any waiter that is held. */
  private edge = Number.POSITIVE_INFINITY;
  /** How often there may have been something new. */
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

  /** There may be something new. */
  wake(): void {
    this.wakes += 1;
    void this.lookForAll();
  }

  /** Answers whose time is up, and everybody when the board stops. */
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

  /** The look of one: what is there already, it alone may not have seen. */
  private async lookFor(waiter: Waiter): Promise<void> {
    const { since } = waiter;
    // Before the look: what commits in between raises the count.
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

  /** One look for all that are held; at most one is under way. */
  private async lookForAll(): Promise<void> {
    this.again = true;
    if (this.looking) return;
    this.looking = true;
    try {
      while (this.again && this.waiters.held > 0) {
        this.again = false;
        const from = this.edge;
        // A waiter that comes meanwhile lowers it to where it has looked.
        this.edge = Number.POSITIVE_INFINITY;
        const seen = await answerFrom(this.ctx, this.options, from);
        // One whose own look saw less than where this one began is held now.
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

  /**
   * A waiter for later messages than the first of these looks alone, and is held
   * all the while: the next look of all begins no later than its cursor.
   */
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
