import { createDataSource } from './data-source.js';
import {
  namesOfToday,
  recordedMigrations,
  runMigrations,
} from './migrations/history.js';
import { migrations } from './migrations/index.js';
import { DatabaseProblem, ownerProblem } from './problem.js';
import type { Connection } from './session.js';
import type { Sql } from './sql.js';

const KNOWN: readonly string[] = migrations.map(({ name }) => name);

/**
 * Missing migrations, oldest first, and those that only a newer release knows.
 * @throws DatabaseProblem when it has a part of the former chain.
 */
export async function schemaState({ manager }: Sql) {
  const recorded = await recordedMigrations(manager);
  const names = namesOfToday(recorded);
  if (names === null) {
    throw new DatabaseProblem(
      `The database stopped within the migrations of release 0.1.0 (at ${recorded.at(-1)}); start release 0.1.0 on it once, or make a backup with that release and restore it here.`,
    );
  }
  return {
    lacking: KNOWN.filter((name) => !recorded.includes(name)),
    newer: names.filter((name) => !KNOWN.includes(name)),
  };
}

/** @throws DatabaseProblem for a migration that this release does not know. */
export async function pendingMigrations(sql: Sql): Promise<string[]> {
  const { lacking, newer } = await schemaState(sql);
  if (newer.length === 0) return lacking;
  throw new DatabaseProblem(
    `The database was changed by a newer release (${newer.join(', ')}); start that release or restore a backup made before it.`,
  );
}

/**
 * Applies what is missing under an advisory lock, without statement timeouts,
 * and returns the names. `only`: the migrations of an older schema.
 */
export async function migrate(
  connection: Connection,
  onPoolError: (error: Error) => void,
  only: readonly string[] = KNOWN,
): Promise<string[]> {
  const source = createDataSource(connection, {
    max: 2,
    onPoolError,
    patient: true,
    migrations: migrations.filter(({ name }) => only.includes(name)),
  });
  await source.initialize();
  try {
    return await runMigrations(source);
  } catch (error) {
    throw ownerProblem(error);
  } finally {
    await source.destroy(); // closing the session frees the lock as well
  }
}
