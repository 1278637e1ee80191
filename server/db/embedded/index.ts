import { join } from 'node:path';
import { findBinaries } from './binaries.js';
import { BOARD, ensureBoardDatabase } from './board-database.js';
import { prepareDataRoot } from './folders.js';
import { clusterExists, createCluster, MAJOR } from './initdb.js';
import { lendBinaries } from './lend-binaries.js';
import { openLog } from './log-file.js';
import { assertReachable, chooseRunAs } from './run-as.js';
import type { Site } from './server-process.js';
import { serverOptions } from './settings.js';
import { makeSocketDir, socketDirFor } from './socket-dir.js';
import { type Joined, joinOrStart, leaveOrStop } from './supervisor.js';

export { EmbeddedDatabaseError } from './error.js';

export type EmbeddedDatabase = {
  /** For pg: host is a unix socket directory. */
  connection: { host: string; port: number; user: string; database: string };
  dataDirectory: string;
  /** The server was running already: left by a crash, or shared. */
  adopted: boolean;
  /** Resolves when our connection to the server ends, most likely with it. */
  gone: Promise<void>;
  /** Stops the server unless another process still uses it. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  log: (line: string) => void;
  /** Only the name of the socket; nothing listens on TCP. */
  port?: number;
  /** Outrank the defaults; an adopted server keeps those it has. */
  settings?: Record<string, string>;
};

/**
 * The PostgreSQL of a board that was given none. The server outlives a crash
 * of this process; the next start adopts it. The last process to call
 * `stop()` stops it.
 */
export async function startEmbedded(
  options: EmbeddedOptions,
): Promise<EmbeddedDatabase> {
  const dataRoot = await prepareDataRoot(options.dataDir);
  const site = await prepareSite(dataRoot, options.log);
  const port = options.port ?? 5432;
  const socketDir = socketDirFor(dataRoot, port, site.as);
  await makeSocketDir(socketDir, site.as);
  await assertReachable(site.as, [socketDir]);

  const log = await openLog(join(dataRoot, 'postgres.log'));
  try {
    const settings = serverOptions(socketDir, port, options.settings);
    const joined = await joinOrStart(site, settings, log);
    const made = database(site, joined);
    await ensureBoardDatabase(joined.client).catch(async (error: unknown) => {
      await made.stop();
      throw error;
    });
    options.log(`database ${joined.adopted ? 'adopted' : 'started'}`);
    return made;
  } finally {
    await log.close();
  }
}

async function prepareSite(
  dataRoot: string,
  log: (line: string) => void,
): Promise<Site> {
  const clusterDir = join(dataRoot, `pg${MAJOR}`);
  const as = await chooseRunAs(clusterDir);
  await assertReachable(as, [dataRoot]);
  const binaries = await lendBinaries(await findBinaries(), dataRoot, as);
  if (!(await clusterExists(clusterDir))) {
    log(`creating the database in ${clusterDir}`);
    await createCluster(dataRoot, clusterDir, binaries, as);
  }
  return { clusterDir, binaries, as };
}

function database(site: Site, joined: Joined): EmbeddedDatabase {
  let stopped: Promise<void> | undefined;
  const gone = new Promise<void>((resolve) => {
    joined.client.once('end', () => resolve());
  });
  return {
    connection: { ...joined.place, user: BOARD, database: BOARD },
    dataDirectory: site.clusterDir,
    adopted: joined.adopted,
    gone,
    stop() {
      stopped ??= leaveOrStop(site, joined.client);
      return stopped;
    },
  };
}
