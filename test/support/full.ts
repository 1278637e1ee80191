/** `FAULTS_FULL=1` runs the long versions of the tests of faults. */
export const FULL = process.env.FAULTS_FULL === '1';
