import type { Config } from '../config.js';
import type { Logger } from '../logger.js';
import { type EmbeddedDatabase, startEmbedded } from './embedded/index.js';
import { watchEmbedded } from './embedded/watchdog.js';
import { assertOwnSessions } from './requirements.js';
import type { Connection } from './session.js';

export type Located = {
  connection: Connection;
  /** Null when `DATABASE_URL` names another server. */
  embedded: EmbeddedDatabase | null;
};

type LocateOptions = {
  /** Called while this process waits for the embedded server. */
  underWay?: () => void;
  /** Multiplies waits; default 1. */
  timeoutFactor?: number;
};

/**
 * Starts the embedded server when it is ours.
 * @throws DatabaseProblem or EmbeddedDatabaseError, each a clear sentence.
 */
export async function locateDatabase(
  config: Config,
  log: Logger,
  { underWay, timeoutFactor }: LocateOptions = {},
): Promise<Located> {
  const { databaseUrl: url, dataDir } = config;
  if (url !== null) {
    await assertOwnSessions({ url }, timeoutFactor);
    return { connection: { url }, embedded: null };
  }
  const report = (line: string) => log.info({}, line);
  const first = await startEmbedded({ dataDir, log: report, underWay });
  const { systemId, connection } = first;
  const start = () =>
    startEmbedded({
      dataDir,
      log: report,
      systemId,
      socketDir: connection.host,
    });
  const embedded = watchEmbedded({ first, start, log: report });
  return { connection: embedded.connection, embedded };
}

/** Stops what {@link locateDatabase} started, when the start failed later. */
export async function leaveDatabase(located: Promise<Located>): Promise<void> {
  const found = await located.catch(() => null);
  await found?.embedded?.stop();
}
