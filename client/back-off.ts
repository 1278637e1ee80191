import { BoardRefusal, NoAnswer } from './failures.js';

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** What waiting needs; tests pass their own. */
export type Waiting = {
  sleep: Sleep;
  random: () => number;
  /** Told before every wait, for how long and why. */
  onWait?: ((ms: number, why: unknown) => void) | undefined;
  signal?: AbortSignal | undefined;
};

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
const SPREAD_MS = 250;

/** Rejects with the signal's reason as soon as it is aborted. */
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
 * Milliseconds before try `tries + 1`: doubling from half a second to half a
 * minute, the later half of it at random, so that clients that failed together
 * do not come back together. A board that names a time is given that time.
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

/** Whether the same request can succeed later without being changed. */
export function isPassing(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  if (!(error instanceof BoardRefusal)) return false;
  const { status, code } = error;
  // What another board refused is final, unless it says when to come again.
  if (code === 'origin_rejected') return error.retryAfter !== null;
  // A spent topic budget has another way out: a reply (spec/board.md §12).
  if (status === 429) return code !== 'topic_budget_exhausted';
  return status === 408 || status >= 500;
}

/** Repeats a read until it answers; only what passes is waited out. */
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

/** Whether a write that ended so may have been accepted all the same. */
export function isAmbiguous(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  if (!(error instanceof BoardRefusal)) return false;
  return error.status >= 500 && error.code !== 'origin_rejected';
}
