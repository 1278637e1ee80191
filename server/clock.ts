/**
 * The one clock of the process, in integer milliseconds since the epoch.
 * SQL never asks the database for the time: it gets this as a parameter.
 */
export interface Clock {
  now(): number;
  /** Calls `wake` in `ms`, unless the function that it returns is called. */
  after(ms: number, wake: () => void): () => void;
}

/** Node fires a timer of more than this at once. */
const LONGEST_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: Date.now,
  after: (ms, wake) => {
    const timer = setTimeout(wake, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

export const DAY_MS = 86_400_000;

/** Inclusive start of the UTC day that holds `ms`. */
export function utcDayStart(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

let lastDay = { start: Number.NaN, name: '' };

/** `YYYY-MM-DD` of the UTC day that holds `ms`; the last one is kept. */
export function utcDay(ms: number): string {
  const start = utcDayStart(ms);
  if (lastDay.start !== start) {
    lastDay = { start, name: new Date(ms).toISOString().slice(0, 10) };
  }
  return lastDay.name;
}

/**
 * Public form of a time: ISO 8601 UTC in whole seconds (spec/board.md §1.3).
 */
export function publicTime(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/**
 * Times of mesh documents: ISO 8601 UTC with milliseconds (spec/board.md §1.3).
 */
export function meshTime(ms: number): string {
  return new Date(ms).toISOString();
}
