import { setTimeout as delay } from 'node:timers/promises';
import { grouped } from '../grouped.js';
import type { LogEnd } from '../grown-note.js';
import type { Sql } from '../sql.js';
import { ANSWER_MS, inTime } from './in-time.js';
import { type Position, primaryPosition } from './position.sql.js';

/** A standby that keeps up has replayed a commit by then (spec/board.md §14.7). */
const REPLAYED_MS = 250;

export type KnownPosition = Position & {
  /** Set where the primary does not answer, and this is its last position. */
  past: {
    /** A commit may have come later, so who answers has to show this, too. */
    end: LogEnd | null;
  } | null;
};

/** A position, and how many had been asked for before. */
type Known = KnownPosition & { number: number };

/**
 * How far the primary is. It is asked once for all reads of one turn of the event
 * loop, so a commit that any process has answered before counts. While the primary
 * does not answer, the last position holds, with the end of the log that this
 * process has signed or seen. It often dies before it was asked where its last
 * commit is: readers then wait until standbys that keep up have replayed it.
 */
export class PrimaryPosition {
  private readonly askOnce: (now: true) => Promise<Known>;
  private known: Known | null = null;
  private asked = 0;
  private committedAt = Number.NEGATIVE_INFINITY;
  /** The newest end of the own log that this process has signed or seen. */
  end: () => LogEnd | null = () => null;
  /** The primary did not answer the last time. */
  private isAway = false;
  private retry: Promise<unknown> | null = null;

  constructor(primary: Sql, timeoutFactor: number) {
    this.askOnce = grouped<true, Known>(async (group) => {
      this.asked += 1;
      const number = this.asked;
      const question = primaryPosition(primary);
      const position = await inTime(question, ANSWER_MS * timeoutFactor);
      const known = { ...position, number, past: null };
      if ((this.known?.number ?? 0) < number) this.known = known;
      this.isAway = false;
      return group.map(() => known);
    });
  }

  /** Notes a commit that was answered here, or notified by another process. */
  committed(): void {
    this.committedAt = performance.now();
    // For the time when it can no longer be asked.
    if (!this.isAway) this.ask().catch(() => {});
  }

  /** @throws what the primary's connection throws, if it never answered. */
  async ask(): Promise<KnownPosition> {
    if (this.isAway) {
      this.askAgain().catch(() => {});
      const last = await this.last();
      if (last !== null) return last;
    }
    try {
      return await this.attempt();
    } catch (error) {
      const last = await this.last();
      if (last === null) throw error;
      return last;
    }
  }

  /**
   * Returns when the primary may be asked.
   *
   * @throws what the primary's connection throws, while it is away.
   */
  async assertAnswers(): Promise<void> {
    if (this.isAway) await this.askAgain();
  }

  /** Asks a primary that is away: once for all who want to know. */
  private async askAgain(): Promise<unknown> {
    this.retry ??= this.attempt().finally(() => {
      this.retry = null;
    });
    return await this.retry;
  }

  private async last(): Promise<KnownPosition | null> {
    const { known } = this;
    if (known === null) return null;
    const left = this.committedAt + REPLAYED_MS - performance.now();
    if (left > 0) await delay(left);
    return { ...known, past: { end: this.end() } };
  }

  private async attempt(): Promise<Known> {
    try {
      return await this.askOnce(true);
    } catch (error) {
      this.isAway = true;
      throw error;
    }
  }
}
