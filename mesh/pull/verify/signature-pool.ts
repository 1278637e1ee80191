import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { equalBytes } from '../../../protocol/bytes.js';
import type { Verifier } from '../../../protocol/key.js';
import { verifySignature } from '../../../protocol/signing.js';
import type { SignatureAnswer } from './signature-worker.js';

/** What one Ed25519 judgement is about: exactly 64 bytes, any, exactly 32. */
export type Triple = {
  signature: Uint8Array;
  message: Uint8Array;
  key: Uint8Array;
};

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const LENGTH_BYTES = 4;
const FIXED_BYTES = LENGTH_BYTES + SIGNATURE_BYTES + KEY_BYTES;

/** All triples as one piece of memory, to be handed to a thread. */
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

/** The inverse of `packTriples`, as views of its bytes. */
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

/**
 * A verifier that knows the judgement of some triples already. It answers for
 * exactly these bytes; libsodium judges everything else now.
 */
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

/** Judges signatures in threads; null where none did: judge them here. */
export type JudgeAhead = (
  triples: readonly Triple[],
) => Promise<boolean[] | null>;

type PoolOptions = {
  /** How many at most; by default one less than there are cores. */
  threads?: number;
  /** The module they run; null has no threads. */
  worker?: URL | null;
  /** The threads end after so many ms without work. */
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
