import { migrate, pendingMigrations } from '../../db/migrate.js';
import { migrations } from '../../db/migrations/index.js';
import { createPool } from '../../db/pool.js';
import { connectionProblem } from '../../db/problem.js';
import { assertServer } from '../../db/requirements.js';
import type { Connection } from '../../db/session.js';
import { type Database, database } from '../../db/sql.js';
import { assertEmpty, type LoadOptions, loadBackup } from './load-backup.js';
import { BackupFault, type Manifest } from './manifest.js';

const KNOWN: readonly string[] = migrations.map(({ name }) => name);
const ignore = () => {}; // the next statement finds out

/**
 * Fills an empty database from a backup whose files were checked: the schema
 * of its time, its rows in one transaction, then the migrations since. What is
 * interrupted leaves no board, and may be begun again.
 *
 * @throws BackupFault, DatabaseProblem
 */
export async function restoreBackup(
  connection: Connection,
  folder: string,
  manifest: Manifest,
  options: LoadOptions = {},
): Promise<void> {
  const pool = createPool(connection, {
    max: 2,
    onPoolError: ignore,
    patient: true,
  });
  try {
    const db = database(pool);
    await assertServer(db);
    await prepare(db, manifest);
    await migrate(connection, ignore, manifest.migrations);
    await loadBackup(db, folder, manifest, options);
    await migrate(connection, ignore);
    await db.query('ANALYZE');
  } catch (error) {
    throw connectionProblem(error);
  } finally {
    await pool.end();
  }
}

/** Everything that can be refused before the database is touched. */
async function prepare(db: Database, manifest: Manifest): Promise<void> {
  const newer = manifest.migrations.filter((name) => !KNOWN.includes(name));
  if (newer.length > 0) {
    throw new BackupFault(
      `The backup was made by a newer release (${newer.join(', ')}); restore it with release ${manifest.release} or a later one.`,
    );
  }
  await db.transaction(assertEmpty);
  const pending = await pendingMigrations(db);
  const beyond = KNOWN.filter(
    (name) => !pending.includes(name) && !manifest.migrations.includes(name),
  );
  if (beyond.length === 0) return;
  throw new BackupFault(
    `The database was migrated beyond the backup (${beyond.join(', ')}); restore into an empty database.`,
  );
}
