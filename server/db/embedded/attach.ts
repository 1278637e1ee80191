import { realpath } from 'node:fs/promises';
import { Client } from 'pg';
import { codeOf, EmbeddedDatabaseError } from './error.js';
import { ADMIN } from './initdb.js';
import { type Place, placeOf } from './postmaster-file.js';

/**
 * `starting`: someone is there and not ready (or about to go): ask again.
 */
export type Attached =
  | { state: 'ready'; client: Client; place: Place }
  | { state: 'starting' | 'absent' };

/** A lock in the database `postgres` that every process using it shares. */
const PRESENCE = 7_305_218_114;

export async function connect(place: Place): Promise<Client> {
  const client = new Client({
    ...place,
    user: ADMIN,
    database: ADMIN,
    ssl: false,
    application_name: 'board supervisor',
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => {}); // the server went away; stop() finds out
  await client.connect();
  return client;
}

/** Joins the server of this folder, if it answers and is not being stopped. */
export async function attach(clusterDir: string): Promise<Attached> {
  const place = await placeOf(clusterDir);
  if (place === null) return { state: 'absent' };
  let client: Client;
  try {
    client = await connect(place);
  } catch (error) {
    return { state: codeOf(error) === '57P03' ? 'starting' : 'absent' };
  }
  try {
    await assertSameFolder(client, clusterDir);
    if (await present(client)) return { state: 'ready', client, place };
  } catch (error) {
    await client.end().catch(() => {});
    if (error instanceof EmbeddedDatabaseError) throw error;
  }
  await client.end().catch(() => {});
  return { state: 'starting' };
}

async function present(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock_shared($1) as held',
    [PRESENCE],
  );
  return rows[0]?.held === true;
}

/**
 * Gives up our presence; true when nobody else is left, and then nobody can
 * join any more. Of several that leave at once the last one gets true.
 */
export async function leave(client: Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_shared($1)', [PRESENCE]);
  const { rows } = await client.query<{ last: boolean }>(
    'select pg_try_advisory_lock($1) as last',
    [PRESENCE],
  );
  return rows[0]?.last === true;
}

/** A folder copied from a running server names that server, not its own. */
async function assertSameFolder(client: Client, clusterDir: string) {
  const { rows } = await client.query<{ dir: string }>(
    `select current_setting('data_directory') as dir`,
  );
  const dir = rows[0]?.dir ?? '';
  const real = await realpath(dir).catch(() => dir);
  if (real === clusterDir) return;
  throw new EmbeddedDatabaseError(
    `${clusterDir}/postmaster.pid names a running server of ${dir}: stop that server first (the folder was moved or copied while it ran).`,
  );
}
