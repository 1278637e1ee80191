/** `FAULTS_FULL=1` runs the long versions of the tests of faults. */
export const FULL = process.env.FAULTS_FULL === '1';

/** `FAULTS_SHARED=1`: the long versions, on a machine that others use. */
const SHARED = process.env.FAULTS_SHARED === '1';

/** The long versions on a machine of their own, where time limits are exact. */
export const EXACT = FULL && !SHARED;

/** Only a hang reaches it; runs of planted bugs name a shorter one. */
export const HANG_MS =
  Number(process.env.TEST_HANG_SECONDS ?? (FULL ? 900 : 120)) * 1000;

/** How much slower a machine that others use at the moment may be. */
const SLOWER = 20;

/** `ms` on a machine of the tests' own (long versions), else with room. */
export function within(ms: number): number {
  return EXACT ? ms : ms * SLOWER;
}
