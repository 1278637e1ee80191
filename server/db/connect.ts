import type { DataSource } from 'typeorm';
import type { Config } from '../config.js';
import type { Logger } from '../logger.js';
import { type Connection, createDataSource, poolOf } from './data-source.js';
import { type EmbeddedDatabase, startEmbedded } from './embedded/index.js';
import { watchEmbedded } from './embedded/watchdog.js';
import { migrate, pendingMigrations } from './migrate.js';
import { connectionProblem } from './problem.js';
import { assertServer } from './requirements.js';
import { database } from './sql.js';

const READERS = 8;
const WRITERS = 4;

export type OpenDatabase = {
  connection: Connection;
  reads: DataSource;
  writes: DataSource;
  /** Null when `DATABASE_URL` names another server. */
  embedded: EmbeddedDatabase | null;
  /** The migrations that this start applied. */
  migrated: string[];
  close(): Promise<void>;
};

/** Where the database is; the embedded one is started when it is ours. */
export async function locateDatabase(
  config: Config,
  log: Logger,
): Promise<{ connection: Connection; embedded: EmbeddedDatabase | null }> {
  const { databaseUrl: url, dataDir } = config;
  if (url !== null) return { connection: { url }, embedded: null };
  const tell = (line: string) => log.info({}, line);
  const first = await startEmbedded({ dataDir, log: tell });
  const { systemId } = first;
  const start = () => startEmbedded({ dataDir, log: tell, systemId });
  const embedded = watchEmbedded({ first, start, log: tell });
  return { connection: embedded.connection, embedded };
}

/**
 * Opens the pools on a server that is safe to promise on, with the schema of
 * this release.
 *
 * @throws DatabaseProblem or EmbeddedDatabaseError, each a clear sentence.
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  patience = 1,
): Promise<OpenDatabase> {
  const { connection, embedded } = await locateDatabase(config, log);
  const onPoolError = (error: Error) =>
    log.warn({ err: error }, 'a database connection was lost');
  const reads = createDataSource(connection, {
    max: READERS,
    onPoolError,
    patience,
  });
  const writes = createDataSource(connection, {
    max: WRITERS,
    onPoolError,
    byKeys: true,
    pipeline: true,
    patience,
  });
  const close = async () => {
    for (const source of [reads, writes]) {
      if (source.isInitialized) await source.destroy();
    }
    await embedded?.stop();
  };
  try {
    await writes.initialize();
    const migrated = await prepare(writes, connection, onPoolError);
    if (migrated.length > 0) log.info({ migrated }, 'database migrated');
    await reads.initialize();
    return { connection, reads, writes, embedded, migrated, close };
  } catch (error) {
    await close();
    throw connectionProblem(error);
  }
}

async function prepare(
  writes: DataSource,
  connection: Connection,
  onPoolError: (error: Error) => void,
): Promise<string[]> {
  const sql = database(poolOf(writes));
  await assertServer(sql);
  const pending = await pendingMigrations(sql);
  return pending.length === 0 ? [] : await migrate(connection, onPoolError);
}

/** For ormconfig.ts: migrated, not yet initialised; destroying it ends all. */
export async function dataSourceForTools(
  config: Config,
  log: Logger,
): Promise<DataSource> {
  const { connection, embedded } = await locateDatabase(config, log);
  const onPoolError = (error: Error) => log.warn({ err: error }, 'lost');
  await migrate(connection, onPoolError);
  const source = createDataSource(connection, { max: 2, onPoolError });
  const destroy = source.destroy.bind(source);
  source.destroy = async () => {
    await destroy();
    await embedded?.stop();
  };
  return source;
}
