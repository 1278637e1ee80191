import type { Server, ServerResponse } from 'node:http';

/** Milliseconds (spec/operators.md §R6). Tests shorten them. */
export type ServerOptions = {
  requestTimeout?: number;
  headersTimeout?: number;
  connectionsCheckingInterval?: number;
  /** 5 s towards clients; 65 s behind a proxy that itself waits 60 s. */
  keepAliveTimeout?: number;
  /** How long a whole answer may wait for its reader. */
  sendTimeout?: number;
  /** Once aborted, every answer says that its connection closes. */
  stopping?: AbortSignal;
};

export const DEFAULT_TIMES = {
  requestTimeout: 9_000,
  headersTimeout: 5_000,
  // None is held 12 s (fault plan, D2), nor while the node is busy as well.
  connectionsCheckingInterval: 250,
  keepAliveTimeout: 5_000,
  sendTimeout: 8_000,
};
const KEEP_ALIVE_BEHIND_PROXY_MS = 65_000;

/** How long an idle connection is kept, by the setting TRUST_PROXY. */
export function keepAliveTimeout(trustProxy: string): number {
  return trustProxy === ''
    ? DEFAULT_TIMES.keepAliveTimeout
    : KEEP_ALIVE_BEHIND_PROXY_MS;
}

/** A reader that takes nothing for so long is cut off. */
const STALLED_MS = 10_000;

/**
 * Writes one piece of a long answer at the reader's pace, so that no answer is
 * held in memory. False when the reader is gone.
 */
export async function writeAtPace(
  res: ServerResponse,
  piece: string | Buffer,
): Promise<boolean> {
  if (res.destroyed) return false;
  if (res.write(piece)) return true;
  const stalled = setTimeout(() => res.destroy(), STALLED_MS);
  await new Promise<void>((resolve) => {
    const settle = () => {
      clearTimeout(stalled);
      res.off('drain', settle).off('close', settle);
      resolve();
    };
    res.on('drain', settle).on('close', settle);
  });
  return !res.destroyed;
}

const LOOK_MS = 50;

/**
 * Takes no more connections and waits for those that are being answered; what
 * is not done within `drainMs` is cut.
 */
export async function closeServer(
  server: Server,
  drainMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    if (!server.listening) resolve();
    else server.close(() => resolve());
  });
  // A connection that finishes its answer only now is idle only then.
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  const late = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(late);
  clearInterval(idle);
}
