import { setTimeout as delay } from 'node:timers/promises';

/** A server that takes longer (ms) is not asked any more. */
export const ANSWER_MS = 1000;

/** Treated as a lost connection: another one may succeed. */
export class NoAnswer extends Error {
  constructor() {
    super('Connection terminated: no answer in time');
  }
}

/** @throws NoAnswer when the work takes longer; the work goes on. */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const over = new AbortController();
  const late = delay(ms, null, { signal: over.signal }).then(() => {
    throw new NoAnswer();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
