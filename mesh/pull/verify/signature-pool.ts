import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { packTriples, type Triple } from './signature-triples.js';
import type { SignatureAnswer } from './signature-worker.js';

/** Judges signatures elsewhere; null where nobody does, then ask again here. */
export type JudgeAhead = (
  triples: readonly Triple[],
) => Promise<boolean[] | null>;

export type PoolOptions = {
  /** How many at most; by default one less than there are cores. */
  threads?: number;
  /** The module they run; null has no threads. */
  worker?: URL | null;
  /** Without work for so long, in ms, the threads end. */
  idleMs?: number;
};

type Thread = {
  worker: Worker;
  /** Who waits, in the order of the tasks. */
  waiting: ((good: boolean[] | null) => void)[];
};

const MOST = 4;
const IDLE_MS = 10_000;

/** Beside this file once compiled; Node loads no TypeScript in a thread. */
const WORKER = import.meta.url.endsWith('.js')
  ? new URL('./signature-worker.js', import.meta.url)
  : null;

/**
 * Threads of a node that judge the signatures of backfilled pages, for all
 * peers together. They begin with the first page and end when there is none
 * for a while; what they cannot judge is left to the caller.
 */
export class SignaturePool {
  private threads: Thread[] = [];
  private idle: NodeJS.Timeout | undefined;
  private next = 0;
  private isClosed = false;
  private readonly most: number;
  /** Null also once a thread has failed: others would too. */
  private worker: URL | null;
  private readonly idleMs: number;

  constructor(options: PoolOptions = {}) {
    const spare = Math.max(1, Math.min(MOST, availableParallelism() - 1));
    this.most = options.threads ?? spare;
    this.worker = options.worker === undefined ? WORKER : options.worker;
    this.idleMs = options.idleMs ?? IDLE_MS;
  }

  /** How many threads there are now. */
  get size(): number {
    return this.threads.length;
  }

  /** In the order of the triples; never rejects. */
  readonly judge: JudgeAhead = async (triples) => {
    if (this.worker === null || this.isClosed || triples.length === 0) {
      return null;
    }
    clearTimeout(this.idle);
    while (this.threads.length < this.most) this.begin(this.worker);
    const share = Math.ceil(triples.length / this.threads.length);
    const parts: Promise<boolean[] | null>[] = [];
    for (let from = 0; from < triples.length; from += share) {
      parts.push(this.hand(triples.slice(from, from + share)));
    }
    const judged = await Promise.all(parts);
    this.waitIdle();
    const good: boolean[] = [];
    for (const part of judged) {
      if (part === null) return null;
      good.push(...part);
    }
    return good.length === triples.length ? good : null;
  };

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idle);
    await this.end();
  }

  private begin(module: URL): void {
    const worker = new Worker(module);
    const thread: Thread = { worker, waiting: [] };
    this.threads.push(thread);
    worker.unref(); // no reason for a process to stay
    worker.on('message', ({ good }: SignatureAnswer) => {
      thread.waiting.shift()?.(good);
    });
    // Without a listener a thread's error would end the process.
    worker.on('error', () => {
      this.worker = null;
      this.lose(thread);
    });
    worker.on('exit', () => this.lose(thread));
  }

  private lose(thread: Thread): void {
    this.threads = this.threads.filter((one) => one !== thread);
    for (const answer of thread.waiting.splice(0)) answer(null);
  }

  private hand(triples: readonly Triple[]): Promise<boolean[] | null> {
    const thread = this.threads[this.next % this.threads.length];
    this.next += 1;
    if (thread === undefined) return Promise.resolve(null);
    const packed = packTriples(triples);
    return new Promise((resolve) => {
      thread.waiting.push(resolve);
      thread.worker.postMessage({ packed }, [packed.buffer as ArrayBuffer]);
    });
  }

  private waitIdle(): void {
    clearTimeout(this.idle);
    if (this.threads.some(({ waiting }) => waiting.length > 0)) return;
    this.idle = setTimeout(() => void this.end(), this.idleMs);
    this.idle.unref();
  }

  private async end(): Promise<void> {
    const ending = this.threads;
    this.threads = [];
    await Promise.all(ending.map(({ worker }) => worker.terminate()));
  }
}
