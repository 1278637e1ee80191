import { setTimeout as delay } from 'node:timers/promises';
import { grouped } from '../grouped.js';
import type { LogEnd } from '../notifications.js';
import type { Sql } from '../sql.js';
import { ANSWER_MS, inTime } from './in-time.js';
import { type Position, primaryPosition } from './position.sql.js';

/** A standby that keeps up has replayed a commit by then (spec/board.md §14.7). */
const REPLAYED_MS = 250;

export type KnownPosition = Position & {
  /** The last position, while the primary does not answer. */
  past: {
    /** A later commit is possible: answers must show this, too. */
    end: LogEnd | null;
  } | null;
};

/** `number`: how many had been asked for before. */
type Known = KnownPosition & { number: number };

/**
 * How far the primary is, asked once per turn of the event loop. While it does
 * not answer, the last position counts, with the newest known end of the log;
 * readers then wait until standbys have replayed it.
 */
export class PrimaryPosition {
  private readonly askOnce: (now: true) => Promise<Known>;
  private known: Known | null = null;
  private asked = 0;
  private committedAt = Number.NEGATIVE_INFINITY;
  /** The newest end of the own log that this process knows. */
  end: () => LogEnd | null = () => null;
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

  /** A commit was answered here or notified by another process. */
  committed(): void {
    this.committedAt = performance.now();
    // Remembered for the time when the primary is away.
    if (!this.isAway) this.ask().catch(() => {});
  }

  /** @throws what the primary's connection throws, if it never answered */
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

  /** @throws what the primary's connection throws, while it is away */
  async assertAnswers(): Promise<void> {
    if (this.isAway) await this.askAgain();
  }

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
