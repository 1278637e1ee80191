import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedDatabase } from './index.js';

const TRY_AGAIN_AFTER = 1000;
const LOOK_EVERY = 2000;
const ANSWERS_WITHIN = 2500;
/** Consecutive looks without an answer: a server may be starting. */
const MISSES = 2;
/** Answered by any server, also by one that recovers or is full. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

type Watch = {
  first: EmbeddedDatabase;
  /** `startEmbedded` of the same cluster: joins or starts a server. */
  start: () => Promise<EmbeddedDatabase>;
  log: (line: string) => void;
};

/**
 * Restarts the database when its server died, seen by the supervisor's own
 * connection, or when nothing answers at its socket. `start` decides whether a
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

  async function look(): Promise<void> {
    for (let missed = 0; !signal.aborted; ) {
      await delay(LOOK_EVERY, null, { signal }).catch(() => null);
      const isMissed = isUp && !(await answers(current.connection));
      missed = isMissed && isUp ? missed + 1 : 0;
      if (missed !== MISSES || signal.aborted) continue;
      log('nothing answers at the socket of the database; starting it again');
      await current.end().catch((error: Error) => log(error.message));
    }
  }

  const watching = keepAlive();
  void look();
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

async function answers(at: EmbeddedDatabase['connection']): Promise<boolean> {
  const asked = connect(join(at.host, `.s.PGSQL.${at.port}`));
  // An answer that came while this process was busy is read first.
  asked.setTimeout(ANSWERS_WITHIN, () => setImmediate(() => asked.destroy()));
  return await new Promise<boolean>((resolve) => {
    asked.once('data', () => resolve(true)).once('close', () => resolve(false));
    asked.once('error', () => resolve(false)).write(TLS_REQUEST);
  }).finally(() => asked.destroy());
}
