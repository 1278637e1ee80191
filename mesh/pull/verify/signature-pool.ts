import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { equalBytes } from '../../../protocol/bytes.js';
import type { Verifier } from '../../../protocol/key.js';
import { verifySignature } from '../../../protocol/signing.js';
import type { SignatureAnswer } from './signature-worker.js';

/** One check: 64 bytes, any, 32 bytes. */
export type Triple = {
  signature: Uint8Array;
  message: Uint8Array;
  key: Uint8Array;
};

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const LENGTH_BYTES = 4;
const FIXED_BYTES = LENGTH_BYTES + SIGNATURE_BYTES + KEY_BYTES;

/** One buffer for a thread. */
export function packTriples(triples: readonly Triple[]): Uint8Array {
  let size = 0;
  for (const { message } of triples) size += FIXED_BYTES + message.length;
  const packed = new Uint8Array(size);
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const { signature, message, key } of triples) {
    view.setUint32(at, message.length);
    packed.set(signature, at + LENGTH_BYTES);
    packed.set(key, at + LENGTH_BYTES + SIGNATURE_BYTES);
    packed.set(message, at + FIXED_BYTES);
    at += FIXED_BYTES + message.length;
  }
  return packed;
}

/** Views of the packed bytes. */
export function unpackTriples(packed: Uint8Array): Triple[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const triples: Triple[] = [];
  for (let at = 0; at < packed.length; ) {
    const from = at + LENGTH_BYTES;
    const start = at + FIXED_BYTES;
    at = start + view.getUint32(at);
    triples.push({
      signature: packed.subarray(from, from + SIGNATURE_BYTES),
      key: packed.subarray(from + SIGNATURE_BYTES, start),
      message: packed.subarray(start, at),
    });
  }
  return triples;
}

/** Answers known triples; libsodium judges others. */
export function knowing(
  triples: readonly Triple[],
  good: readonly boolean[],
): Verifier {
  const known = new Map(
    triples.map((triple, at) => [triple.signature, { triple, at }]),
  );
  return (signature, message, key) => {
    const found = known.get(signature);
    const same =
      found !== undefined &&
      equalBytes(found.triple.key, key) &&
      equalBytes(found.triple.message, message);
    const judged = same ? good[found.at] : undefined;
    return judged ?? verifySignature(signature, message, key);
  };
}

/** Null: judge them in this thread. */
export type JudgeAhead = (
  triples: readonly Triple[],
) => Promise<boolean[] | null>;

type PoolOptions = {
  /** Default: one less than cores. */
  threads?: number;
  /** Null: no threads. */
  worker?: URL | null;
  /** After so many ms without work they end. */
  idleMs?: number;
};

type Thread = {
  worker: Worker;
  /** In the order of tasks. */
  waiting: ((good: boolean[] | null) => void)[];
};

const MOST = 4;
const IDLE_MS = 10_000;

/** Exists once compiled; Node loads no TypeScript in threads. */
const WORKER = import.meta.url.endsWith('.js')
  ? new URL('./signature-worker.js', import.meta.url)
  : null;

/**
 * Shared by all peers; started by the first page, ended when idle. What they
 * cannot judge is left to the caller.
 */
export class SignaturePool {
  private threads: Thread[] = [];
  private idle: NodeJS.Timeout | undefined;
  private next = 0;
  private isClosed = false;
  private readonly most: number;
  /** Null after a failure: others would fail, too. */
  private worker: URL | null;
  private readonly idleMs: number;

  constructor(options: PoolOptions = {}) {
    const spare = Math.max(1, Math.min(MOST, availableParallelism() - 1));
    this.most = options.threads ?? spare;
    this.worker = options.worker === undefined ? WORKER : options.worker;
    this.idleMs = options.idleMs ?? IDLE_MS;
  }

  get size(): number {
    return this.threads.length;
  }

  /** In order; never rejects. */
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
    // Without a listener an error would end the process.
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
