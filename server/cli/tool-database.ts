import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config.js';
import { database } from '../db/connection.sql.js';
import { createDataSource } from '../db/data-source.js';
import { clusterExists } from '../db/embedded/initdb.js';
import { clusterOf } from '../db/embedded/layout.js';
import { locateDatabase } from '../db/locate.js';
import { pendingMigrations } from '../db/migrate.js';
import { connectionProblem } from '../db/problem.js';
import type { Database } from '../db/sql.js';
import { readSeed, seedFile } from '../ledger/board-seed.js';
import { silentLogger } from '../logger.js';
import { CommandFailure } from './failure.js';

/** Without making one. */
export async function databaseExists(config: Config): Promise<boolean> {
  if (config.databaseUrl !== null) return true;
  try {
    const root = await realpath(config.dataDir);
    return await clusterExists(clusterOf(root));
  } catch {
    return false;
  }
}

/** Of work at a database; a CommandFailure may mention a timeout, too. */
export function explained(error: unknown): unknown {
  return error instanceof CommandFailure ? error : connectionProblem(error);
}

/** Never made or migrated. */
export async function withOwnDatabase<T>(
  config: Config,
  work: (db: Database) => Promise<T>,
  { patient = false }: { patient?: boolean } = {},
): Promise<T> {
  if (!(await databaseExists(config))) {
    throw new CommandFailure(
      `There is no database in ${path.resolve(config.dataDir)} yet; "reserve-board start" makes it, or set DATA_DIR or DATABASE_URL to the board you mean.`,
    );
  }
  const { connection, embedded } = await locateDatabase(config, silentLogger);
  const source = createDataSource(connection, {
    max: 4,
    patient,
    onPoolError: () => {}, // the next statement finds out
  });
  try {
    return await work(database(await source.initialize()));
  } catch (error) {
    throw explained(error);
  } finally {
    if (source.isInitialized) await source.destroy();
    await embedded?.stop();
  }
}

/** @throws CommandFailure for a database of an older release. */
export async function requireMigrated(db: Database): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length === 0) return;
  throw new CommandFailure(
    `The database lacks ${pending.join(', ')}; run "reserve-board migrate" first.`,
  );
}

/**
 * Never made.
 * @throws CommandFailure without one; `instead`: what else to do
 */
export async function requireSeed(
  config: Config,
  instead = '',
): Promise<string> {
  const seed = await readSeed(config);
  if (seed !== null) return seed;
  const file = seedFile(config.dataDir);
  throw new CommandFailure(
    `${file} does not exist; restore it from your backup, or set DATA_DIR or BOARD_SEED to those of the board.${instead}`,
  );
}
