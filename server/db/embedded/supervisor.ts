import type { FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Attached, attach, connect, leave } from './attach.js';
import { EmbeddedDatabaseError } from './error.js';
import { lastWord } from './last-word.js';
import { tail } from './log-file.js';
import { isHeld, placeOf, strangerHolding } from './postmaster-file.js';
import { type Site, startServer, stopServer } from './server-process.js';

const GIVE_UP_AFTER = 30_000;
const RETRY_AFTER = 50;
const MAX_FAILURES = 3;

export type Joined = Extract<Attached, { state: 'ready' }> & {
  adopted: boolean;
};

/**
 * Joins the server that runs, or starts one. Refusals are retried: after a
 * crash the dead server may not be reaped yet, and of two processes that
 * start at once one is refused and joins the other's server.
 *
 * @NOTE never delete postmaster.pid here: it is what keeps two servers off
 * one data directory.
 */
export async function joinOrStart(
  site: Site,
  options: string,
  log: FileHandle,
): Promise<Joined> {
  const since = (await log.stat()).size;
  let deadline = Date.now() + GIVE_UP_AFTER;
  let started = false;
  let failures = 0;
  for (;;) {
    const found = await attach(site.clusterDir);
    if (found.state === 'ready') return { ...found, adopted: !started };
    // recovery after a crash takes the time it takes
    if (found.state === 'starting') deadline = Date.now() + GIVE_UP_AFTER;
    else started = await startServer(site, options, log);
    if (started) continue;
    // nobody holds the folder and still it failed: retrying will not help
    const free = found.state === 'absent' && !(await isHeld(site.clusterDir));
    failures += free ? 1 : 0;
    if (Date.now() > deadline || failures === MAX_FAILURES) {
      throw await failure(site, await tail(log, since));
    }
    await delay(RETRY_AFTER);
  }
}

async function failure(site: Site, log: string): Promise<Error> {
  const stranger = await strangerHolding(site.clusterDir);
  const why =
    stranger === null
      ? lastWord(log)
      : `${stranger} has the number of the server that crashed, so PostgreSQL takes it for that server. Stop it, or, if no other board uses this folder, remove postmaster.pid in it.`;
  return new EmbeddedDatabaseError(
    `The embedded database in ${site.clusterDir} does not start: ${why}`,
  );
}

/** The last process to leave stops the server, whoever started it. */
export async function leaveOrStop(site: Site, joined: Client): Promise<void> {
  let client: Client | null = joined;
  try {
    let last = await leave(joined).catch(() => null);
    if (last === null) {
      // our connection died with a server that crashed and came back
      const place = await placeOf(site.clusterDir);
      client = place && (await connect(place).catch(() => null));
      last = client !== null && (await leave(client));
    }
    if (last) await stopServer(site);
  } finally {
    await joined.end().catch(() => {});
    await client?.end().catch(() => {});
  }
}
