/** `FAULTS_FULL=1` runs the long versions of the tests of faults. */
export const FULL = process.env.FAULTS_FULL === '1';

/** How much slower a machine that others use at the moment may be. */
const SHARED = 5;

/**
 * A time limit: `ms` on a machine of the tests' own, which the long versions
 * want, and room beside it wherever the machine is shared.
 */
export function within(ms: number): number {
  return FULL ? ms : ms * SHARED;
}
