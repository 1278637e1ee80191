import { BoardRefusal, NoAnswer } from './failures.js';

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Tests pass their own. */
export type Waiting = {
  sleep: Sleep;
  random: () => number;
  /** Called before every wait. */
  onWait?: ((ms: number, why: unknown) => void) | undefined;
  signal?: AbortSignal | undefined;
};

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
const SPREAD_MS = 250;

/** Rejects with the signal's reason. */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });

/**
 * In ms before try `tries + 1`: doubling from 0.5 s to 30 s, half of it random,
 * so that clients spread. A time that the board names wins.
 */
export function pause(
  tries: number,
  error: unknown,
  random: () => number,
): number {
  const asked = error instanceof BoardRefusal ? error.retryAfter : null;
  if (asked !== null) return asked * 1000 + Math.round(random() * SPREAD_MS);
  const whole = Math.min(FIRST_MS * 2 ** tries, LONGEST_MS);
  return Math.round(whole / 2 + (random() * whole) / 2);
}

/** The same request can succeed later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  if (!(error instanceof BoardRefusal)) return false;
  const { status, code } = error;
  // Another board's refusal is final unless it names a time.
  if (code === 'origin_rejected') return error.retryAfter !== null;
  // A spent topic budget allows a reply (spec/board.md §12).
  if (status === 429) return code !== 'topic_budget_exhausted';
  return status === 408 || status >= 500;
}

/** Repeats a read after passing failures. */
export async function persistently<T>(
  read: () => Promise<T>,
  { random, sleep, signal, onWait }: Waiting,
  triesMax = Infinity,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error) || tries === triesMax) throw error;
      const ms = pause(tries, error, random);
      onWait?.(ms, error);
      await sleep(ms, signal);
    }
  }
}

/** The write may have been accepted all the same. */
export function isAmbiguous(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  if (!(error instanceof BoardRefusal)) return false;
  return error.status >= 500 && error.code !== 'origin_rejected';
}
