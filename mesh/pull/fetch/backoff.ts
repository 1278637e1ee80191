const FIRST_MS = 2000;
const CAP_MS = 3_600_000;
const LEAST_MS = 100;

/**
 * Milliseconds to wait after the `failures`-th failure in a row, from 1: full
 * jitter below 2 s doubled each time, at most an hour (spec/mesh.md §B7).
 */
export function backoffMs(failures: number, random = Math.random): number {
  const cap = Math.min(CAP_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30));
  return Math.max(LEAST_MS, Math.floor(random() * cap));
}
