import type { Pool, PoolClient } from 'pg';
import { equalBytes } from '../../protocol/bytes.js';
import type { Signer } from '../../protocol/note.js';
import type { Clock } from '../clock.js';
import { rolledBack, run, transactionOf } from '../db/sql.js';
import { BoardError } from '../errors.js';
import type { Events } from '../events.js';
import type { Logger } from '../logger.js';
import { type BatchResult, type Job, runBatch } from './batch.js';

const QUEUE_MAX = 1024;
const QUEUE_WAIT_MS = 2000;
const BATCH_MAX = 64;
/** Serialisation failure, deadlock, lock time-out (reliability §7.2). */
const TRANSIENT = new Set(['40001', '40P01', '55P03']);
const TRIES = 3;

type Waiting = {
  job: Job<unknown>;
  since: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

export type LedgerOptions = {
  pool: Pool;
  logKey: Signer;
  clock: Clock;
  events: Events;
  log: Logger;
  /** Tag of this board among the processes on one database. */
  instance: string;
};

/**
 * The only giver of order. Jobs of this process queue here and are committed
 * in groups under the head lock; several processes meet at that lock.
 */
export class Ledger {
  private readonly queue: Waiting[] = [];
  private running: Promise<void> | null = null;
  private closed = false;

  constructor(private readonly options: LedgerOptions) {}

  /**
   * Runs a job under the head lock and answers after its commit is durable.
   * A job refuses by returning a function that throws, not by throwing.
   * @throws BoardError `unavailable` when the queue is full, waited too long,
   * or the outcome of the commit could not be learnt.
   */
  append<T>(job: Job<T>): Promise<T> {
    if (this.closed) return Promise.reject(new Unavailable('is stopping'));
    if (this.queue.length >= QUEUE_MAX) {
      return Promise.reject(new Unavailable('has too many writes waiting'));
    }
    return new Promise<T>((resolve, reject) => {
      const since = performance.now();
      this.queue.push({
        job,
        since,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.running ??= this.drain();
    });
  }

  /** Refuses new jobs and waits for those already taken. */
  async stop(): Promise<void> {
    this.closed = true;
    await this.running;
  }

  private async drain(): Promise<void> {
    while (this.queue.length > 0) {
      const oldest = performance.now() - QUEUE_WAIT_MS;
      const group = this.queue.splice(0, BATCH_MAX);
      const late = group.filter((waiting) => waiting.since < oldest);
      for (const waiting of late) {
        waiting.reject(new Unavailable('has too many writes waiting'));
      }
      await this.commitGroup(group.filter((one) => !late.includes(one)));
    }
    this.running = null;
  }

  /** A group that fails is run again one by one: only the culprit fails. */
  private async commitGroup(group: Waiting[], tries = 1): Promise<void> {
    if (group.length === 0) return;
    try {
      await this.commit(group);
    } catch (error) {
      if (group.length === 1 && tries < TRIES && isTransient(error)) {
        await this.commitGroup(group, tries + 1);
        return;
      }
      if (group.length === 1 || error instanceof OutcomeUnknown) {
        for (const waiting of group) waiting.reject(error);
        return;
      }
      for (const waiting of group) await this.commitGroup([waiting]);
    }
  }

  private async commit(group: Waiting[]): Promise<void> {
    const { pool, clock, logKey, events, instance } = this.options;
    const client = await pool.connect();
    let broken = true;
    try {
      await client.query('BEGIN');
      const jobs = group.map((waiting) => waiting.job);
      const tx = transactionOf(client);
      const result = await runBatch(tx, jobs, clock, logKey, instance);
      await this.makeDurable(client, result);
      broken = false;
      group.forEach((waiting, at) => {
        settle(waiting, result.answers[at]);
      });
      if (result.mark !== null) {
        events.emit('messages');
        events.emit('log');
      }
    } catch (error) {
      broken = !(await rolledBack(client));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /**
   * COMMIT. When its answer is lost the truth is looked up once on a new
   * connection: the first leaf stands at its index exactly if it committed.
   */
  private async makeDurable(
    client: PoolClient,
    result: BatchResult,
  ): Promise<void> {
    try {
      await client.query('COMMIT');
    } catch (error) {
      this.options.log.warn({ err: error }, 'the answer to COMMIT was lost');
      if (!(await this.didCommit(result))) throw error;
    }
  }

  private async didCommit({ mark }: BatchResult): Promise<boolean> {
    if (mark === null) return false;
    try {
      const [row] = await run<{ leaf_hash: Buffer }>(
        this.options.pool as unknown as PoolClient,
        'SELECT leaf_hash FROM log_entry WHERE origin_id = 0 AND idx = $1',
        [mark.index],
      );
      return row !== undefined && equalBytes(row.leaf_hash, mark.leafHash);
    } catch {
      throw new OutcomeUnknown();
    }
  }
}

function isTransient(error: unknown): boolean {
  return TRANSIENT.has((error as { code?: string }).code ?? '');
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

/** The connection died at COMMIT and the look-up failed too. */
class OutcomeUnknown extends Unavailable {
  constructor() {
    super('could not learn whether your message was stored');
  }
}
