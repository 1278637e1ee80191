import fc from 'fast-check';
import { startCluster, stopCluster } from './cluster.js';

// A printed seed brings generated tests back too.
const SEED = Number(process.env.SEED ?? Number.NaN);
if (Number.isSafeInteger(SEED)) fc.configureGlobal({ seed: SEED });

/** Mocha global fixtures: one real PostgreSQL for the whole run. */
export async function mochaGlobalSetup(): Promise<void> {
  await startCluster();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopCluster();
}

// A rejection nobody handles is a failed run, never a warning.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
