/** What two ways of doing the same differ by, in ms. */
export type Difference = {
  /** The median of the differences of the pairs, b − a. */
  median: number;
  /** What chance makes of it: six standard errors, and the clock's steps. */
  noise: number;
};

/** Of a median, were the differences normally distributed. */
const MEDIAN_ERROR = 1.2533;
const SIGMAS_PER_MAD = 1.4826;
const ERRORS = 6;
/** A hundredth of the time itself: machines are not finer than that. */
const STEP = 0.01;

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1
    ? upper
    : ((sorted[half - 1] ?? 0) + upper) / 2;
}

/**
 * Compares times taken in pairs, of which chance said who went first. Medians
 * do not mind what a busy machine does to some of them, and what it does to
 * both of a pair falls out.
 */
export function differenceOf(
  pairs: readonly (readonly [a: number, b: number])[],
): Difference {
  const differences = pairs.map(([a, b]) => b - a);
  const median = medianOf(differences);
  const deviations = differences.map((one) => Math.abs(one - median));
  const sigma = medianOf(deviations) * SIGMAS_PER_MAD;
  const error = (sigma * MEDIAN_ERROR) / Math.sqrt(pairs.length);
  const step = STEP * medianOf(pairs.map(([a]) => a));
  return { median, noise: ERRORS * error + step };
}
