import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { Config } from '../config.js';
import type { Logger } from '../logger.js';
import { type EmbeddedDatabase, startEmbedded } from './embedded/index.js';
import { watchEmbedded } from './embedded/watchdog.js';
import { LANES, Lookups } from './lookups.js';
import { loadMigrator, migrate, pendingMigrations } from './migrate.js';
import { createPool } from './pool.js';
import { assertOwnSessions } from './pooler.js';
import { connectionProblem } from './problem.js';
import { assertServer } from './requirements.js';
import type { Connection } from './session.js';
import { database, hold, together } from './sql.js';

const READERS = 8;
const WRITERS = 4;

export type OpenDatabase = {
  connection: Connection;
  reads: Pool;
  /** For short statements by keys, over connections of its own. */
  lookups: Lookups;
  writes: Pool;
  embedded: Located['embedded'];
  /** The migrations that this start applied. */
  migrated: string[];
  close(): Promise<void>;
};

export type Located = {
  connection: Connection;
  /** Null when `DATABASE_URL` names another server. */
  embedded: EmbeddedDatabase | null;
};

type LocateOptions = {
  /** Called while this process has nothing to do but wait for the embedded one. */
  underWay?: () => void;
  /** Factor by which waits may last longer than on a node; default 1. */
  patience?: number;
};

/**
 * Where the database is; the embedded one is started when it is ours.
 *
 * @throws DatabaseProblem or EmbeddedDatabaseError, each a clear sentence.
 */
export async function locateDatabase(
  config: Config,
  log: Logger,
  { underWay, patience }: LocateOptions = {},
): Promise<Located> {
  const { databaseUrl: url, dataDir } = config;
  if (url !== null) {
    await assertOwnSessions({ url }, patience);
    return { connection: { url }, embedded: null };
  }
  const tell = (line: string) => log.info({}, line);
  const first = await startEmbedded({
    dataDir,
    log: tell,
    underWay: (isNew) => {
      underWay?.();
      // It will want a schema; what fails here is told there.
      if (isNew) void loadMigrator().catch(() => {});
    },
  });
  const { systemId } = first;
  const start = () => startEmbedded({ dataDir, log: tell, systemId });
  const embedded = watchEmbedded({ first, start, log: tell });
  return { connection: embedded.connection, embedded };
}

/** Stops what {@link locateDatabase} started, where nothing came of it. */
export async function leaveDatabase(located: Promise<Located>): Promise<void> {
  const found = await located.catch(() => null);
  await found?.embedded?.stop();
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
  located = locateDatabase(config, log, { patience }),
): Promise<OpenDatabase> {
  const { connection, embedded } = await located;
  const onPoolError = (error: Error) =>
    log.warn({ err: error }, 'a database connection was lost');
  const reads = createPool(connection, {
    max: READERS,
    onPoolError,
    patience,
  });
  const writes = createPool(connection, {
    max: WRITERS,
    onPoolError,
    byKeys: true,
    pipeline: true,
    patience,
  });
  const lanes = createPool(connection, {
    max: LANES,
    onPoolError,
    pipeline: true,
    patience,
  });
  const lookups = new Lookups(lanes, patience);
  const close = async () => {
    for (const pool of [reads, writes]) await pool.end();
    await lookups.close();
    await embedded?.stop();
  };
  try {
    const [migrated] = await together([
      prepare(writes, connection, onPoolError),
      connectOne(reads),
    ]);
    if (migrated.length > 0) log.info({ migrated }, 'database migrated');
    return {
      connection,
      reads,
      lookups,
      writes,
      embedded,
      migrated,
      close,
    };
  } catch (error) {
    await close();
    throw connectionProblem(error);
  }
}

/** The first reader shall not wait for it, and no start succeed without. */
async function connectOne(pool: Pool): Promise<void> {
  const { release } = await hold(pool);
  release(false);
}

async function prepare(
  writes: Pool,
  connection: Connection,
  onPoolError: (error: Error) => void,
): Promise<string[]> {
  const sql = database(writes);
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
  const { createDataSource } = await import('./data-source.js');
  const source = createDataSource(connection, { max: 2, onPoolError });
  const destroy = source.destroy.bind(source);
  source.destroy = async () => {
    await destroy();
    await embedded?.stop();
  };
  return source;
}
