import type { DataSource } from 'typeorm';
import { database } from '../../server/db/connection.sql.js';
import { createDataSource } from '../../server/db/data-source.js';
import type { Database } from '../../server/db/sql.js';
import { createDatabase } from './cluster.js';

/** A database as a node uses it, on connections of its own. */
export async function connected(
  url: string,
  options: { max?: number; patient?: boolean } = {},
): Promise<{ db: Database; end: () => Promise<void> }> {
  const source = createDataSource(
    { url },
    { max: 1, onPoolError: () => {}, ...options },
  );
  await source.initialize();
  return { db: database(source), end: () => source.destroy() };
}

/** A new database, on connections of its own. For `given`. */
export const newDatabase = (max: number) => async () => {
  const { url, drop } = await createDatabase();
  const { db, end } = await connected(url, { max });
  const stop = async () => {
    await end();
    await drop();
  };
  return { db, stop };
};

/** Work on a new database, on the one connection that statements share. */
export async function onNewDatabase(
  work: (source: DataSource) => Promise<void>,
): Promise<void> {
  const { url, drop } = await createDatabase();
  const onPoolError = (error: Error) => {
    throw error;
  };
  const options = { max: 1, onPoolError, patient: true };
  const source = await createDataSource({ url }, options).initialize();
  try {
    await work(source);
  } finally {
    await source.destroy();
    await drop();
  }
}

/** Before each statement; what `seen` throws fails it. Answers how to stop. */
export function watchStatements(
  db: Database,
  seen: (text: string) => void,
): () => void {
  const source = db.manager.dataSource;
  const { query } = db;
  const create = source.createQueryRunner;
  db.query = async (text, values) => {
    seen(text);
    return await query(text, values);
  };
  source.createQueryRunner = (mode) => {
    const runner = create.call(source, mode);
    const ask = runner.query.bind(runner) as (
      ...args: unknown[]
    ) => Promise<never>;
    runner.query = async (...args: unknown[]) => {
      seen(String(args[0]));
      return await ask(...args);
    };
    return runner;
  };
  return () => {
    db.query = query;
    source.createQueryRunner = create;
  };
}

/** How many statements of this database wait for a lock. */
export async function lockWaits(
  db: { query(text: string, values: unknown[]): Promise<unknown> },
  like = '%',
): Promise<number> {
  const waiting = await db.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
     AND wait_event_type = 'Lock' AND query LIKE $1`,
    [like],
  );
  return (waiting as unknown[]).length;
}
