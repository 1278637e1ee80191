import { type FileHandle, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { codeOf } from '../files.js';
import { addressOf } from '../session.js';
import { EmbeddedDatabaseError } from './error.js';
import { ADMIN } from './initdb.js';
import { endUnused, namedServer, removeStaleLock } from './orphans.js';
import { lastWord } from './run.js';
import {
  isHeld,
  type Place,
  placeOf,
  type Server,
  type Site,
  serverOf,
  startServer,
  stopServer,
  tail,
} from './server-process.js';

const GIVE_UP_AFTER = 30_000;
const RETRY_AFTER = 50;
const MAX_FAILURES = 3;
/** How long a live server may be silent; one that starts or recovers answers. */
const SILENT_FOR = 5000;

export type Joined = Extract<Attached, { state: 'ready' }> & {
  adopted: boolean;
};

/**
 * Joins the running server or starts one. Refusals are retried: a dead server
 * may not be reaped yet, or another process starts one. Only `removeStaleLock`
 * may delete postmaster.pid, which keeps two servers off one directory.
 */
export async function joinOrStart(
  site: Site,
  options: string,
  log: FileHandle,
  socketLock: string,
): Promise<Joined> {
  const since = (await log.stat()).size;
  let deadline = Date.now() + GIVE_UP_AFTER;
  let started = false;
  let failures = 0;
  let silentSince = Number.POSITIVE_INFINITY;
  for (;;) {
    const found = await attach(site.clusterDir);
    if (found.state === 'ready') return { ...found, adopted: !started };
    // Recovery after a crash has no time limit.
    if (found.state === 'starting') deadline = Date.now() + GIVE_UP_AFTER;
    const silent =
      found.state === 'absent' ? await namedServer(site.clusterDir) : undefined;
    silentSince = Math.min(silentSince, Date.now());
    if (silent === undefined) silentSince = Number.POSITIVE_INFINITY;
    else if (Date.now() - silentSince > SILENT_FOR) {
      await endUnused(site.clusterDir, silent);
    }
    if (found.state === 'absent' && silent === undefined) {
      for (const lock of [
        join(site.clusterDir, 'postmaster.pid'),
        socketLock,
      ]) {
        await removeStaleLock(site.clusterDir, lock);
      }
      started = await startServer(site, options, log);
    }
    if (started) continue;
    // No process has the folder, yet it failed: a retry will not help.
    const free = found.state === 'absent' && !(await isHeld(site.clusterDir));
    failures += free ? 1 : 0;
    if (Date.now() > deadline || failures === MAX_FAILURES) {
      const last = lastWord(await tail(log, since));
      throw new EmbeddedDatabaseError(
        `The embedded database in ${site.clusterDir} does not start: ${last}`,
      );
    }
    await delay(RETRY_AFTER);
  }
}

/** The last process to leave stops the server. */
export async function leaveOrStop(site: Site, joined: Present): Promise<void> {
  let present: Present | null = joined;
  try {
    let last = await leave(joined.client).catch(() => null);
    if (last === null) {
      // The connection died with a server that crashed and came back.
      const found = await attach(site.clusterDir);
      present = found.state === 'ready' ? found : null;
      last = present !== null && (await leave(present.client));
    }
    if (last && present !== null) await stopServer(site, present.server);
  } finally {
    await joined.client.end().catch(() => {});
    await present?.client.end().catch(() => {});
  }
}

/** The server stops only after we have left. */
export type Present = { client: Client; place: Place; server: Server };

/** `starting`: a server is there but not ready, or about to stop. */
type Attached =
  | ({ state: 'ready' } & Present)
  | { state: 'starting' | 'absent' };

/** Advisory lock in database `postgres`, shared by all processes using it. */
const PRESENCE = 7_305_218_114;

async function connect(place: Place): Promise<Client> {
  const client = new Client({
    ...addressOf({ ...place, user: ADMIN, database: ADMIN }),
    application_name: 'board supervisor',
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => {}); // the server went away; stop() finds out
  await client.connect();
  return client;
}

/** Null unless the server answers and is not being stopped. */
async function attach(clusterDir: string): Promise<Attached> {
  const server = await serverOf(clusterDir);
  const place = await placeOf(clusterDir);
  if (server === null || place === null) return { state: 'absent' };
  let client: Client;
  try {
    client = await connect(place);
  } catch (error) {
    return { state: codeOf(error) === '57P03' ? 'starting' : 'absent' };
  }
  try {
    await assertSameFolder(client, clusterDir);
    if (await present(client)) return { state: 'ready', client, place, server };
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

/** True when this was the last process; nobody can join any more. */
async function leave(client: Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_shared($1)', [PRESENCE]);
  const { rows } = await client.query<{ last: boolean }>(
    'select pg_try_advisory_lock($1) as last',
    [PRESENCE],
  );
  return rows[0]?.last === true;
}

/** A folder copied from a running server names that server. */
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
