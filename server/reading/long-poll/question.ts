import type { Context } from '../../context.js';
import type { SharedReads } from '../shared-reads.js';
import {
  answerFrom,
  nothingSince,
  type UpdatesAnswer,
} from '../updates-answer.js';
import type { UpdatesOptions } from '../updates-options.js';
import { type Waiter, Waiters } from './waiters.js';

/**
 * All who ask for updates with the same options, whatever their cursors: who
 * has looked once waits for the same messages as the others.
 */
export class UpdatesQuestion {
  private readonly waiters: Waiters;
  /** Up to here nothing was found for anybody who is held. */
  private edge = Number.POSITIVE_INFINITY;
  /** How often there may have been something new. */
  private heard = 0;
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
    this.heard += 1;
    void this.lookForAll();
  }

  /** Answers whose time is up, and everybody when the board stops. */
  endDue(): void {
    if (this.looking) return; // its end comes here, with what it found
    const told = new Map<number, Buffer>();
    const nothing = ({ since }: Waiter) => {
      const json = told.get(since) ?? nothingSince(this.ctx, since);
      told.set(since, json);
      return json;
    };
    const now = performance.now();
    this.waiters.answerEach(this.waiters.allDue(now), nothing);
    this.waiters.setTimer(now);
  }

  /** The look of one: what is there already, it alone may not have seen. */
  private async lookFor(waiter: Waiter): Promise<void> {
    const { since } = waiter;
    // Before the look: what commits in between is heard of.
    const { heard } = this;
    try {
      const seen = await this.shared.get(`${since} ${this.options.key}`, () =>
        answerFrom(this.ctx, { ...this.options, since }, since),
      );
      if (!this.waiters.has(waiter)) return;
      if (seen.found || this.waiters.isOver(waiter)) {
        this.waiters.answer([waiter], seen.json);
        return;
      }
      this.waiters.hold(waiter);
      this.edge = Math.min(this.edge, Math.max(since, seen.newest));
    } catch (error) {
      if (this.waiters.has(waiter)) this.waiters.fail([waiter], error);
      return;
    }
    if (this.heard !== heard) void this.lookForAll();
  }

  /** One look for all who are held; at most one is under way. */
  private async lookForAll(): Promise<void> {
    this.again = true;
    if (this.looking) return;
    this.looking = true;
    try {
      while (this.again && this.waiters.held > 0) {
        this.again = false;
        const from = this.edge;
        // Whoever comes meanwhile says how far it has looked.
        this.edge = Number.POSITIVE_INFINITY;
        const seen = await answerFrom(this.ctx, this.options, from);
        this.edge = Math.min(this.edge, Math.max(from, seen.newest));
        if (seen.found) this.tell(seen);
      }
    } catch (error) {
      this.waiters.fail(this.waiters.allHeld(), error);
    } finally {
      this.looking = false;
      this.endDue();
    }
  }

  /** Who asked for later messages than the first of these looks alone. */
  private tell({ first, json }: UpdatesAnswer): void {
    const held = this.waiters.allHeld();
    const later = held.filter(({ since }) => since >= first);
    const told = held.filter(({ since }) => since < first);
    this.waiters.answer(told, json);
    for (const waiter of later) void this.lookFor(waiter);
  }
}
