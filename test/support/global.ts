import http from 'node:http';
import fc from 'fast-check';
import { temporaryFolder } from '../../server/db/embedded/reach.js';
import { startCluster, stopCluster } from './cluster.js';
import { beginFile, endFile } from './times.js';

// A printed seed brings generated tests back too.
const SEED = Number(process.env.SEED ?? Number.NaN);
if (Number.isSafeInteger(SEED)) fc.configureGlobal({ seed: SEED });

/**
 * A board lets go of an idle connection after 5 s. Clients of the tests do so
 * before, however long a busy machine takes to tell them: a request on its way
 * over a connection that is just being closed is answered by nobody.
 */
http.globalAgent = new http.Agent({
  keepAlive: true,
  scheduling: 'lifo',
  timeout: 1500,
});

/** Mocha global fixtures: one real PostgreSQL for the whole run. */
export async function mochaGlobalSetup(): Promise<void> {
  // Databases of tests lie in it, and root's run as another account.
  process.env.TMPDIR = temporaryFolder();
  await startCluster();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopCluster();
}

// A rejection nobody handles is a failed run, never a warning.
process.on('unhandledRejection', (reason) => {
  throw reason;
});

/** Root hooks; where files run in parallel they surround each file. */
export const mochaHooks = {
  beforeAll: beginFile,
  afterAll(this: Mocha.Context): void {
    endFile(this.test?.parent?.suites[0]?.file ?? '');
  },
};
