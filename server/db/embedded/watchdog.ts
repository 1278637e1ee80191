import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedDatabase } from './index.js';

const TRY_AGAIN_AFTER = 1000;
const LOOK_EVERY = 2000;
/** Consecutive checks without a socket: a server may be starting. */
const MISSES = 2;

type Watch = {
  first: EmbeddedDatabase;
  /** `startEmbedded` of the same cluster: joins or starts a server. */
  start: () => Promise<EmbeddedDatabase>;
  log: (line: string) => void;
};

/**
 * Restarts the database when its server died, seen by the supervisor's own
 * connection, or when its socket file was removed. `start` decides whether a
 * server lives: a lost connection alone never ends one.
 */
export function watchEmbedded({ first, start, log }: Watch): EmbeddedDatabase {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let current = first;
  let isUp = true;

  async function startAgain(): Promise<EmbeddedDatabase | null> {
    let reported = '';
    while (!signal.aborted) {
      try {
        return await start();
      } catch (error) {
        const why = (error as Error).message;
        // Tried every second, reported once.
        if (why !== reported) log(`the database does not come back: ${why}`);
        reported = why;
        await delay(TRY_AGAIN_AFTER, null, { signal }).catch(() => null);
      }
    }
    return null;
  }

  async function keepAlive(): Promise<void> {
    for (;;) {
      await Promise.race([current.gone, stopped]);
      if (signal.aborted) return;
      isUp = false;
      log('the connection to the database server ended; looking after it');
      current = (await startAgain()) ?? current;
      isUp = true;
    }
  }

  let missed = 0;
  const looking = setInterval(() => {
    const { host, port } = current.connection;
    const isMissed = isUp && !existsSync(join(host, `.s.PGSQL.${port}`));
    missed = isMissed ? missed + 1 : 0;
    if (missed !== MISSES) return;
    log('the socket of the database server is gone; starting it again');
    current.end().catch((error: Error) => log(error.message));
  }, LOOK_EVERY);

  const watching = keepAlive();
  return {
    ...first,
    gone: stopped,
    stop: async () => {
      clearInterval(looking);
      stopping.abort();
      await watching;
      await current.stop();
    },
  };
}
