import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedDatabase } from './index.js';

const TRY_AGAIN_AFTER = 1000;

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
 * Brings the database back when its server died. Nothing is polled: the
 * supervisor's own connection ends with the server. It is the start that looks
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
      log('the connection to the database server ended; looking after it');
      current = (await startAgain()) ?? current;
    }
  }

  const watching = keepAlive();
  return {
    ...first,
    gone: stopped,
    stop: async () => {
      stopping.abort();
      await watching;
      await current.stop();
    },
  };
}
