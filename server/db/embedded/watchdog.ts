import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedDatabase } from './index.js';

const TRY_AGAIN_AFTER = 1000;
const LOOK_EVERY = 2000;
/** Looks in a row that miss the socket: a server may be just starting. */
const MISSES = 2;

type Watch = {
  first: EmbeddedDatabase;
  /**
   * `startEmbedded` of the first one's cluster: joins a server that lives,
   * starts one where none does.
   */
  start: () => Promise<EmbeddedDatabase>;
  log: (line: string) => void;
};

/**
 * Brings the database back when its server died: the supervisor's own
 * connection ends with it. A server whose socket file was removed lives, and no
 * new connection reaches it, so the file is looked at, and such a server is
 * stopped. It is the start that looks
 * whether one lives, so a lost connection alone never touches the server, and
 * of several processes one starts it and the others join.
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
        // Tried every second, and said once.
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
