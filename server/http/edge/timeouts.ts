import type {
  ServerOptions as HttpOptions,
  Server,
  ServerResponse,
} from 'node:http';

/** In ms (spec/operators.md §R6). Tests shorten them. */
export type ServerOptions = Pick<
  HttpOptions,
  'IncomingMessage' | 'ServerResponse'
> & {
  requestTimeout?: number;
  headersTimeout?: number;
  connectionsCheckingInterval?: number;
  /** 5 s towards clients; 65 s behind a proxy that itself waits 60 s. */
  keepAliveTimeout?: number;
  sendTimeout?: number;
  stopping?: AbortSignal;
};

export const DEFAULT_TIMES = {
  requestTimeout: 9_000,
  headersTimeout: 5_000,
  // Keeps slow requests under 12 s (fault plan, D2), even on a busy node.
  connectionsCheckingInterval: 250,
  keepAliveTimeout: 5_000,
  sendTimeout: 8_000,
};
const KEEP_ALIVE_BEHIND_PROXY_MS = 65_000;

/** By TRUST_PROXY. */
export function keepAliveTimeout(trustProxy: string): number {
  return trustProxy === ''
    ? DEFAULT_TIMES.keepAliveTimeout
    : KEEP_ALIVE_BEHIND_PROXY_MS;
}

/** Longest pause of a reader. */
const STALLED_MS = 10_000;

/** Waits for the reader. False: it is gone. */
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

/** Drains; after `drainMs` the rest is cut. */
export async function closeServer(
  server: Server,
  drainMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    if (!server.listening) resolve();
    else server.close(() => resolve());
  });
  // Connections become idle when their answers end.
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  const late = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(late);
  clearInterval(idle);
}
