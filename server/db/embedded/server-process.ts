import type { FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunAs } from './account.js';
import type { Binaries } from './binaries.js';
import { EmbeddedDatabaseError } from './error.js';
import { lastWord } from './last-word.js';
import { isRunning, serverOf } from './postmaster-file.js';
import { run } from './run.js';

const STOP_WITHIN = 60_000;
const LOOK_AGAIN_AFTER = 10;

export type Site = {
  clusterDir: string;
  binaries: Binaries;
  as: RunAs;
  /** Called while the server is being started. */
  underWay?: () => void;
};

/**
 * True when this call started the server. pg_ctl puts it in a session of its
 * own, so it outlives this process, its group and its terminal.
 */
export async function startServer(
  site: Site,
  options: string,
  log: FileHandle,
): Promise<boolean> {
  const { code } = await run(
    site.binaries.pgCtl,
    ['start', '-s', '-w', '-t', '30', '-o', options],
    { ...site, outputFd: log.fd },
  );
  return code === 0;
}

/**
 * Asks for a fast shutdown and waits for the end of this very server.
 *
 * @NOTE not `pg_ctl stop -w`: when another process starts the next server at
 * once, pg_ctl sees its postmaster.pid and waits for that one to stop.
 */
export async function stopServer(site: Site): Promise<void> {
  const server = await serverOf(site.clusterDir);
  if (server === null) return;
  const { code, output } = await run(
    site.binaries.pgCtl,
    ['stop', '-s', '-W', '-m', 'fast'],
    { as: site.as, clusterDir: site.clusterDir },
  );
  const deadline = Date.now() + STOP_WITHIN;
  while (await isRunning(site.clusterDir, server)) {
    if (code !== 0 || Date.now() > deadline) {
      throw new EmbeddedDatabaseError(
        `The database did not stop: ${lastWord(output)}`,
      );
    }
    await delay(LOOK_AGAIN_AFTER);
  }
}
