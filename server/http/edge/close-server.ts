import type { Server } from 'node:http';

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
