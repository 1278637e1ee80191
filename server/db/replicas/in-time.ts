import { setTimeout as delay } from 'node:timers/promises';

/** A server that does not answer for so long is asked no more, in ms. */
export const ANSWER_MS = 1000;

/** As of a lost connection: another one may well succeed. */
export class NoAnswer extends Error {
  constructor() {
    super('Connection terminated: no answer in time');
  }
}

/** @throws NoAnswer when the work takes longer; it goes on unheard. */
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
