import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Signer } from '../../protocol/note.js';
import type { Clock } from '../clock.js';
import { LogEntry } from '../db/entities/log.js';
import type { Events } from '../db/events.js';
import { type Database, isConnectionLost, isTransient } from '../db/sql.js';
import { BoardError } from '../errors.js';
import type { Logger } from '../logger.js';
import {
  type BatchJob,
  type BatchReads,
  type BatchResult,
  LATER,
  runBatch,
} from './append.js';
import { lockHead } from './head.sql.js';
import { OWN_LOG } from './own-log.sql.js';
import type { HeadMemory } from './rollback-guard.js';

const QUEUE_MAX = 1024;
const QUEUE_WAIT_MS = 2000;
const BATCH_MAX = 64;
/** The waits for queue and lock together end in 3 s. */
const LOCK_WAIT_MS = 800;
const TRIES = 3;

type Waiting = BatchJob<unknown> & {
  since: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

type LedgerOptions = {
  db: Database;
  logKey: Signer;
  clock: Clock;
  events: Events;
  log: Logger;
  /** Distinguishes processes that share a database. */
  instance: string;
  /** Each may refuse. */
  guards?: readonly { assertOpen(): void }[];
  /** Refuses where the database has lost what was signed or seen. */
  memory?: HeadMemory;
  /** Multiplies waits; default 1. */
  timeoutFactor?: number;
};

/** The only source of order: groups commit under the head lock. */
export class Ledger {
  private readonly queue: Waiting[] = [];
  private running: Promise<void> | null = null;
  private closed = false;

  constructor(private readonly options: LedgerOptions) {}

  /**
   * Resolves after a durable commit. A job refuses by returning a function that
   * throws.
   * @throws BoardError `unavailable` when the queue is full, the wait too long
   *   or the outcome unknown
   */
  append<T, Facts>(
    run: BatchJob<T, Facts>['run'],
    reads?: BatchReads<unknown, Facts>,
  ): Promise<T> {
    if (this.closed) return Promise.reject(new Unavailable('is stopping'));
    try {
      for (const guard of this.options.guards ?? []) guard.assertOpen();
    } catch (refusal) {
      return Promise.reject(refusal);
    }
    if (this.queue.length >= QUEUE_MAX) {
      return Promise.reject(new Unavailable('has too many writes waiting'));
    }
    return new Promise<T>((resolve, reject) => {
      const since = performance.now();
      this.queue.push({
        run,
        ...(reads === undefined ? {} : { reads }),
        since,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.running ??= this.drain();
    });
  }

  get queued(): number {
    return this.queue.length;
  }

  /** Finishes accepted jobs. */
  async stop(): Promise<void> {
    this.closed = true;
    await this.running;
  }

  private async drain(): Promise<void> {
    while (this.queue.length > 0) {
      await nextTurn(); // jobs of this turn of the loop join the batch
      await this.commitGroup(this.queue.splice(0, BATCH_MAX));
    }
    this.running = null;
  }

  /**
   * A failed group runs again one by one: only the culprit fails. Expired jobs
   * leave first, so that a lost database costs each one wait, not the sum.
   */
  private async commitGroup(group: Waiting[], tries = 1): Promise<void> {
    const due = rejectExpired(group, this.options.timeoutFactor);
    const [first] = due;
    if (first === undefined) return;
    try {
      await this.commit(due);
    } catch (error) {
      const mayDoNow = isTransient(error) || isConnectionLost(error);
      const again = due.length === 1 && tries < TRIES && mayDoNow;
      if (error instanceof OutcomeUnknown || (due.length === 1 && !again)) {
        for (const waiting of due) waiting.reject(error);
      } else if (again) await this.commitGroup(due, tries + 1);
      else for (const waiting of due) await this.commitGroup([waiting]);
    }
  }

  private async commit(group: Waiting[]): Promise<void> {
    const { events } = this.options;
    const result = await this.runGroup(group);
    if (result.end !== null) this.options.memory?.remember(result.end);
    const later = group.filter((waiting, at) => {
      const answer = result.answers[at];
      if (answer === LATER) return true;
      settle(waiting, answer);
      return false;
    });
    this.queue.unshift(...later);
    if (result.mark !== null) {
      events.emit('messages');
      events.emit('log');
    }
  }

  /** After a lost COMMIT it looks for the first leaf. */
  private async runGroup(group: readonly Waiting[]): Promise<BatchResult> {
    const { db, log, timeoutFactor = 1 } = this.options;
    const lockWaitMs = LOCK_WAIT_MS * timeoutFactor;
    const done: BatchResult[] = [];
    try {
      return await db.transaction(
        async (tx) => {
          const batch = { ...this.options, lockWaitMs };
          const result = await runBatch(tx, group, batch);
          done.push(result);
          return result;
        },
        () => done[0]?.roots ?? null,
        true,
      );
    } catch (error) {
      const [result] = done;
      if (result === undefined) throw error;
      log.warn(
        { err: error },
        'the last statement or COMMIT has no good answer',
      );
      if (!(await this.didCommit(result))) throw error;
      return result;
    }
  }

  /** Under the head lock, which a running COMMIT still has. */
  private async didCommit({ mark }: BatchResult): Promise<boolean> {
    if (mark === null) return false;
    const leafHash = Buffer.from(mark.leafHash);
    const first = { originId: OWN_LOG, idx: mark.index, leafHash };
    try {
      return await this.options.db.transaction(async (tx) => {
        await lockHead(tx);
        return await tx.manager.existsBy(LogEntry, first);
      });
    } catch {
      throw new OutcomeUnknown();
    }
  }
}

function rejectExpired(
  group: readonly Waiting[],
  timeoutFactor = 1,
): Waiting[] {
  const oldest = performance.now() - QUEUE_WAIT_MS * timeoutFactor;
  return group.filter((waiting) => {
    if (waiting.since >= oldest) return true;
    waiting.reject(
      new Unavailable('is too busy to store your message in time'),
    );
    return false;
  });
}

function settle(waiting: Waiting, answer: (() => unknown) | undefined): void {
  try {
    waiting.resolve(answer?.());
  } catch (refusal) {
    waiting.reject(refusal);
  }
}

class Unavailable extends BoardError {
  constructor(why: string) {
    super(
      'unavailable',
      `The board ${why}. Retry the same request in a few seconds; nothing is stored twice.`,
      { retry_after_seconds: 2 },
    );
  }
}

/** The connection was lost at COMMIT, and the look-up failed, too. */
class OutcomeUnknown extends Unavailable {
  constructor() {
    super('could not learn whether your message was stored');
  }
}
