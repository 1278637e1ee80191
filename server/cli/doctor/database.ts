import { pendingMigrations } from '../../db/migrate.js';
import { serverFacts } from '../../db/requirements.js';
import type { Database } from '../../db/sql.js';
import { failureLines } from '../failure.js';
import { type Check, fail, failOf, ok } from './check.js';

const SKEW_MS = 2000;

export async function server(db: Database): Promise<Check[]> {
  const { version, faults } = await serverFacts(db);
  if (faults.length === 0) {
    return [ok('database', `PostgreSQL ${version}, durable`)];
  }
  return faults.map((fault) => failOf('database', fault));
}

export async function schema(db: Database): Promise<Check> {
  const name = 'schema';
  try {
    const pending = await pendingMigrations(db);
    if (pending.length === 0) return ok(name, 'at head');
    return fail(
      name,
      `lacks ${pending.join(', ')}`,
      'run "reserve-board migrate", or start the board',
    );
  } catch (error) {
    return failOf(name, failureLines(error).join(' '));
  }
}

/** Whether any release has made its tables here. */
export async function hasLogs(db: Database): Promise<boolean> {
  const [row] = await db.query<{ there: boolean }>(
    "SELECT to_regclass('log_state') IS NOT NULL AS there",
  );
  return row?.there === true;
}

/** The database's clock is only compared, never used. */
export async function databaseClock(db: Database): Promise<Check> {
  const name = 'clock';
  const before = Date.now();
  const [row] = await db.query<{ ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  );
  const after = Date.now();
  const ms = row?.ms ?? 0;
  const off = ms < before ? ms - before : Math.max(ms - after, 0);
  if (Math.abs(off) <= SKEW_MS) return ok(name, new Date(after).toISOString());
  return fail(
    name,
    `the database's clock is ${Math.round(Math.abs(off) / 1000)} s ${off < 0 ? 'behind' : 'ahead'}`,
    'synchronise both machines by NTP',
  );
}
