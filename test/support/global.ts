import http from 'node:http';
import path from 'node:path';
import * as chai from 'chai';
import fc from 'fast-check';
import { startCluster, stopCluster } from './cluster.js';
import { chosenSeed, seedFile } from './random.js';
import { useRunFolder } from './run-folder.js';
import { stopLeftBoards } from './running.js';
import { beginFile, endFile } from './times.js';
import { watchForHang } from './waiting-for.js';

// As `describe` and `it`: in every test file, without an import.
declare global {
  const expect: typeof chai.expect;
}
Object.assign(globalThis, { expect: chai.expect });

fc.configureGlobal({ seed: chosenSeed() });

// Processes that tests start write without colours on every machine.
for (const name of ['CI', 'CLICOLOR_FORCE', 'FORCE_COLOR', 'TERM']) {
  delete process.env[name];
}

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
  // Mocha cleans up by itself only where the keyboard ends it.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void stopCluster().finally(() => process.exit(1));
    });
  }
  console.log(`SEED=${chosenSeed()}`);
  await startCluster();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopCluster();
}

// A rejection nobody handles is a failed run, never a warning.
process.on('unhandledRejection', (reason) => {
  throw reason;
});

let watched = () => {};

/** Root hooks; where files run in parallel they surround each file. */
export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    useRunFolder();
    seedFile(fileOf(this));
    beginFile();
  },
  beforeEach(this: Mocha.Context): void {
    if (this.currentTest) watched = watchForHang(this.currentTest);
  },
  afterEach(): void {
    watched();
  },
  async afterAll(this: Mocha.Context): Promise<void> {
    endFile(fileOf(this));
    await stopLeftBoards();
  },
};

/** The test file around which a root hook runs, from the project's folder. */
function fileOf(context: Mocha.Context): string {
  const file = context.test?.parent?.suites[0]?.file ?? '';
  return path.relative(process.cwd(), file);
}
