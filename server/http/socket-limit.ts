import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { BoardError } from '../errors.js';
import { isProxy, networkOf, type TrustedProxies } from './network.js';
import { turnAway } from './raw-answer.js';

/** Sockets for each place to wait: 512 by default (reliability §6). */
const PER_WAIT = 8;
const LEAST = 512;

type Options = { trusted: TrustedProxies; waitsPerNetwork: number };

/**
 * Bounds the connections that one network holds open, so that it cannot take
 * all of the server's. Who lifts `waits_per_network` lifts this with it.
 * Behind a trusted proxy the proxy's connections are not the clients', and the
 * proxy bounds those.
 */
export function limitSockets(
  server: Server,
  { trusted, waitsPerNetwork }: Options,
): void {
  const most = Math.max(LEAST, waitsPerNetwork * PER_WAIT);
  const open = new Map<string, number>();
  const counted = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => {
    // An upgrade that is put back comes a second time.
    if (counted.has(socket)) return;
    counted.add(socket);
    const network = nameOf(socket, trusted);
    if (network === null) return;
    const now = open.get(network) ?? 0;
    if (now >= most) {
      turnAway(socket, tooMany(most));
      return;
    }
    open.set(network, now + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

/** Null for a trusted proxy, and for one that is gone already. */
function nameOf(
  { remoteAddress }: Socket,
  trusted: TrustedProxies,
): string | null {
  if (remoteAddress === undefined || isProxy(remoteAddress, trusted)) {
    return null;
  }
  return Buffer.from(networkOf(remoteAddress, undefined, [])).toString('hex');
}

function tooMany(most: number): BoardError {
  return new BoardError(
    'rate_limited',
    `A network may hold ${most} connections; close some, or keep fewer open.`,
    { retry_after_seconds: 1 },
  );
}
