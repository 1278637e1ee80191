import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { database } from '../../db/connection.sql.js';
import { createDataSource } from '../../db/data-source.js';
import { startEmbedded } from '../../db/embedded/index.js';
import { temporaryFolder } from '../../db/embedded/reach.js';
import { migrate, pendingMigrations } from '../../db/migrate.js';
import { namesOfToday } from '../../db/migrations/history.js';
import { migrations } from '../../db/migrations/index.js';
import { connectionProblem, ownerProblem } from '../../db/problem.js';
import { assertServer } from '../../db/requirements.js';
import type { Connection } from '../../db/session.js';
import type { Database } from '../../db/sql.js';
import { analyze } from './backup.sql.js';
import { assertEmpty, type LoadOptions, loadBackup } from './load-backup.js';
import { BackupFault, type Manifest } from './manifest.js';

const KNOWN: readonly string[] = migrations.map(({ name }) => name);
const ignore = () => {}; // the next statement finds out

/**
 * Schema of its time, rows in one transaction, later migrations. An interrupted
 * run can be repeated.
 * @throws BackupFault, DatabaseProblem
 */
export async function restoreBackup(
  connection: Connection,
  folder: string,
  manifest: Manifest,
  options: LoadOptions = {},
): Promise<void> {
  const source = createDataSource(connection, {
    max: 2,
    onPoolError: ignore,
    patient: true,
  });
  try {
    const db = database(await source.initialize());
    await assertServer(db);
    const schema = await prepare(db, manifest);
    await migrate(connection, ignore, schema);
    await loadBackup(db, folder, manifest, options);
    await migrate(connection, ignore);
    await options.afterwards?.(db);
    await analyze(db);
  } catch (error) {
    throw ownerProblem(connectionProblem(error));
  } finally {
    if (source.isInitialized) await source.destroy();
  }
}

/** Before anything changes; returns migrations by today's names. */
async function prepare(db: Database, manifest: Manifest): Promise<string[]> {
  const schema = namesOfToday(manifest.migrations);
  if (schema === null) {
    throw new BackupFault(
      'The backup is of a database that stopped within the migrations of release 0.1.0; restore it with release 0.1.0, start that once and make a backup of it.',
    );
  }
  const newer = schema.filter((name) => !KNOWN.includes(name));
  if (newer.length > 0) {
    throw new BackupFault(
      `The backup was made by a newer release (${newer.join(', ')}); restore it with release ${manifest.release} or a later one.`,
    );
  }
  await db.transaction(assertEmpty);
  const pending = await pendingMigrations(db);
  const beyond = KNOWN.filter(
    (name) => !pending.includes(name) && !schema.includes(name),
  );
  if (beyond.length === 0) return schema;
  throw new BackupFault(
    `The database was migrated beyond the backup (${beyond.join(', ')}); restore into an empty database.`,
  );
}

type TrialOptions = {
  onProgress?: (rows: number, of: number) => void;
  /** Ends the trial with its server and folder. */
  signal?: AbortSignal;
};

/**
 * Restores into a temporary PostgreSQL (in `TMPDIR`): only that proves a
 * backup. Always needs the embedded database's package.
 * @throws BackupFault, EmbeddedDatabaseError
 */
export async function tryRestore(
  folder: string,
  manifest: Manifest,
  { onProgress, signal }: TrialOptions = {},
): Promise<void> {
  const scratch = await mkdtemp(
    path.join(temporaryFolder(), 'reserve-verify-'),
  );
  try {
    const server = await startEmbedded({ dataDir: scratch, log: () => {} });
    try {
      await restoreBackup(server.connection, folder, manifest, {
        onProgress: (rows, of) => {
          signal?.throwIfAborted();
          onProgress?.(rows, of);
        },
      });
    } finally {
      await server.stop();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
