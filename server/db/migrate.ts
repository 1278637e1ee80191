import { migrations } from './migrations/index.js';
import { DatabaseProblem } from './problem.js';
import type { Connection } from './session.js';
import type { Sql } from './sql.js';

/** One process at a time changes the schema. */
const MIGRATING = 7_305_218_116;

const KNOWN: readonly string[] = migrations.map(({ name }) => name);

/**
 * The migrations this database lacks, oldest first.
 *
 * @throws DatabaseProblem when it has one that this release does not know.
 */
export async function pendingMigrations(sql: Sql): Promise<string[]> {
  const [table] = await sql.query<{ there: boolean }>(
    "SELECT to_regclass('migrations') IS NOT NULL AS there",
  );
  if (table?.there !== true) return [...KNOWN];
  const rows = await sql.query<{ name: string }>('SELECT name FROM migrations');
  const done = new Set(rows.map((row) => row.name));
  const newer = [...done].filter((name) => !KNOWN.includes(name));
  if (newer.length > 0) {
    throw new DatabaseProblem(
      `The database was changed by a newer release (${newer.join(', ')}); start that release or restore a backup made before it.`,
    );
  }
  return KNOWN.filter((name) => !done.has(name));
}

/** Late: most starts find nothing to do, and it is much to load. */
export const loadMigrator = () => import('./data-source.js');

/**
 * Applies what is missing under an advisory lock and answers the names. Of
 * several processes that start at once one works and the others wait, without
 * the statement timeouts of ordinary connections. `only` names the migrations
 * of an older schema that is to be made.
 */
export async function migrate(
  connection: Connection,
  onPoolError: (error: Error) => void,
  only: readonly string[] = KNOWN,
): Promise<string[]> {
  const { createDataSource } = await loadMigrator();
  const source = createDataSource(connection, {
    max: 2,
    onPoolError,
    patient: true,
    migrations: migrations.filter(({ name }) => only.includes(name)),
  });
  await source.initialize();
  try {
    const runner = source.createQueryRunner();
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATING]);
    const done = await source.runMigrations({ transaction: 'each' });
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATING]);
    await runner.release();
    return done.map(({ name }) => name);
  } finally {
    await source.destroy(); // closing the session frees the lock as well
  }
}
