import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Pool } from 'pg';
import type { Config } from '../config.js';
import { locateDatabase } from '../db/connect.js';
import { clusterExists } from '../db/embedded/initdb.js';
import { clusterOf } from '../db/embedded/layout.js';
import { pendingMigrations } from '../db/migrate.js';
import { createPool } from '../db/pool.js';
import { connectionProblem } from '../db/problem.js';
import { type Database, database } from '../db/sql.js';
import { silentLogger } from '../logger.js';
import { CommandFailure } from './failure.js';

/** Whether there is a database to look at without making one. */
export async function databaseExists(config: Config): Promise<boolean> {
  if (config.databaseUrl !== null) return true;
  try {
    const root = await realpath(config.dataDir);
    return await clusterExists(clusterOf(root));
  } catch {
    return false;
  }
}

/**
 * Lets a command look at the node's own database, beside a running node or
 * without one. It is neither made nor migrated.
 */
export async function withOwnDatabase<T>(
  config: Config,
  work: (db: Database, pool: Pool) => Promise<T>,
  { patient = false }: { patient?: boolean } = {},
): Promise<T> {
  if (!(await databaseExists(config))) {
    throw new CommandFailure(
      `There is no database in ${path.resolve(config.dataDir)} yet; "reserve-board start" makes it, or set DATA_DIR or DATABASE_URL to the board you mean.`,
    );
  }
  const { connection, embedded } = await locateDatabase(config, silentLogger);
  const pool = createPool(connection, {
    max: 4,
    patient,
    onPoolError: () => {}, // the next statement finds out
  });
  try {
    return await work(database(pool), pool);
  } catch (error) {
    // A refusal has its own words, also where they speak of a timeout.
    throw error instanceof CommandFailure ? error : connectionProblem(error);
  } finally {
    await pool.end();
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
