import { setTimeout as delay } from 'node:timers/promises';
import { grouped } from '../grouped.js';
import type { Sql } from '../sql.js';
import { type Position, primaryPosition } from './position.sql.js';

/** A read waits so long for a primary that does not answer. */
const ANSWER_MS = 1000;

/** `isPast`: the primary does not answer, and this is the last known one. */
export type KnownPosition = Position & { isPast: boolean };

/** A position, and how many commits this process knew of when it asked. */
type Known = KnownPosition & { commits: number };

/**
 * How far the primary is. It is asked once for all reads of one turn of the event
 * loop, so a commit that any process has answered before counts. While the primary
 * does not answer, the last position holds, as long as it is that of the last
 * commit which this process has answered or was notified of.
 */
export class PrimaryPosition {
  private readonly askOnce: () => Promise<Known>;
  private known: Known | null = null;
  private commits = 0;
  /** The primary did not answer the last time. */
  private isAway = false;
  private retry: Promise<unknown> | null = null;

  constructor(primary: Sql, timeoutFactor: number) {
    const ask = grouped<number, Known>(async (group) => {
      const commits = Math.max(...group);
      const question = primaryPosition(primary);
      const position = await inTime(question, ANSWER_MS * timeoutFactor);
      const known = { ...position, commits, isPast: false };
      if ((this.known?.commits ?? 0) <= commits) this.known = known;
      this.isAway = false;
      return group.map(() => known);
    });
    this.askOnce = () => ask(this.commits);
  }

  /** Counts a commit that was answered here, or notified by another process. */
  committed(): void {
    this.commits += 1;
    // For the time when it can no longer be asked.
    if (!this.isAway) this.ask().catch(() => {});
  }

  /**
   * @throws what the primary's connection throws, where it does not answer and
   * the last position is of an earlier commit.
   */
  async ask(): Promise<KnownPosition> {
    if (this.isAway) {
      this.retry ??= this.attempt()
        .catch(() => {})
        .finally(() => {
          this.retry = null;
        });
      const last = this.last();
      if (last !== null) return last;
    }
    try {
      return await this.attempt();
    } catch (error) {
      const last = this.last();
      if (last === null) throw error;
      return last;
    }
  }

  private last(): KnownPosition | null {
    const { known } = this;
    if (known?.commits !== this.commits) return null;
    return { ...known, isPast: true };
  }

  private async attempt(): Promise<Known> {
    try {
      return await this.askOnce();
    } catch (error) {
      this.isAway = true;
      throw error;
    }
  }
}

/** @throws Error as of a lost connection, when it takes longer. */
async function inTime<T>(question: Promise<T>, ms: number): Promise<T> {
  const over = new AbortController();
  const late = delay(ms, null, { signal: over.signal }).then(() => {
    throw new Error('Connection terminated: the primary does not answer');
  });
  try {
    return await Promise.race([question, late]);
  } finally {
    over.abort();
  }
}
