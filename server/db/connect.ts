import type { DataSource } from 'typeorm';
import type { Config } from '../config.js';
import type { Logger } from '../logger.js';
import { database, pressureOf } from './connection.sql.js';
import { createDataSource } from './data-source.js';
import { type Located, locateDatabase } from './locate.js';
import { migrate, pendingMigrations } from './migrate.js';
import { raiseRevision } from './notifications.js';
import { connectionProblem } from './problem.js';
import { Replicas } from './replicas/replicas.js';
import { assertRights, assertServer } from './requirements.js';
import type { Connection } from './session.js';
import type { Database } from './sql.js';

/** Three pools, so that no flood of reads takes those of writes and of others. */
const READERS = 7;
/** Exports hold four at most. */
const SLOW_READERS = 7;
const WRITERS = 6;

export type OpenDatabase = {
  connection: Connection;
  reads: Database;
  /** For the reads that can take more than 100 ms. */
  slowReads: Database;
  writes: Database;
  replicas: Replicas | null;
  embedded: Located['embedded'];
  migrated: string[];
  pressure(): { pool: string; used: number; waiting: number }[];
  close(): Promise<void>;
};

/** @throws DatabaseProblem or EmbeddedDatabaseError, each a clear sentence. */
export async function openDatabase(
  config: Config,
  log: Logger,
  timeoutFactor = 1,
  located = locateDatabase(config, log, { timeoutFactor }),
): Promise<OpenDatabase> {
  const { connection, embedded } = await located;
  const onPoolError = (error: Error) =>
    log.warn({ err: error }, 'a database connection was lost');
  const opened: DataSource[] = [];
  let replicas: Replicas | null = null;
  const close = async () => {
    await replicas?.stop();
    for (const source of opened) await source.destroy();
    await embedded?.stop();
  };
  try {
    const open = async (pool: { max: number; byKeys?: boolean }) => {
      const options = { ...pool, onPoolError, timeoutFactor };
      const source = createDataSource(connection, options);
      opened.push(await source.initialize());
      return source;
    };
    const writers = await open({ max: WRITERS, byKeys: true });
    const writes = database(writers, raiseRevision);
    await assertServer(writes);
    const pending = await pendingMigrations(writes);
    const migrated =
      pending.length === 0 ? [] : await migrate(connection, onPoolError);
    if (migrated.length > 0) log.info({ migrated }, 'database migrated');
    await assertRights(writes);
    const readers = await open({ max: READERS });
    const slowReaders = await open({ max: SLOW_READERS });
    const slowReads = database(slowReaders);
    const primary = database(readers);
    const pressure = () => [
      { pool: 'reads', ...pressureOf(readers) },
      { pool: 'slow_reads', ...pressureOf(slowReaders) },
      { pool: 'writes', ...pressureOf(writers) },
    ];
    const rest = { connection, slowReads, embedded, migrated, pressure, close };
    const urls = config.databaseReplicaUrls;
    if (urls.length === 0) {
      return { ...rest, reads: primary, writes, replicas };
    }
    replicas = new Replicas({ urls, primary, log, timeoutFactor });
    const { reads } = replicas;
    return { ...rest, reads, writes: replicas.noting(writes), replicas };
  } catch (error) {
    await close();
    throw connectionProblem(error);
  }
}

/** Not initialised and never migrated. Destroying it closes everything. */
export async function dataSourceForTools(
  config: Config,
  log: Logger,
): Promise<DataSource> {
  const { connection, embedded } = await locateDatabase(config, log);
  const onPoolError = (error: Error) => log.warn({ err: error }, 'lost');
  const options = { max: 2, onPoolError, patient: true };
  const source = createDataSource(connection, options);
  const destroy = source.destroy.bind(source);
  source.destroy = async () => {
    await destroy();
    await embedded?.stop();
  };
  return source;
}
