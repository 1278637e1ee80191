import { createServer } from 'node:net';
import type { Config } from '../config.js';

/**
 * Before a start makes anything.
 * @throws EADDRINUSE, EADDRNOTAVAIL, EACCES or ENOTFOUND, as listening does
 */
export async function assertPortsFree({
  host,
  port,
  metricsPort,
  metricsHost,
}: Config): Promise<void> {
  await assertFree('', host, port);
  if (metricsPort !== null)
    await assertFree('METRICS_', metricsHost, metricsPort);
}

/** @param prefix of the names of both settings. */
async function assertFree(
  prefix: string,
  host: string,
  port: number,
): Promise<void> {
  if (port === 0) return; // the system takes a free one
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(Object.assign(error, { prefix })));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
