import { startCluster, stopCluster } from './cluster.js';

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
