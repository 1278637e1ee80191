import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { BoardError } from '../../errors.js';
import { isProxy, networkOf, type TrustedProxies } from '../network.js';
import { turnAway } from './client-error.js';

/** Sockets for each place to wait: 512 by default (spec/operators.md §R6.1). */
const PER_WAIT = 8;
const LEAST = 512;

/** What a network holds open. */
type Open = { readonly network: string; sockets: number };
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
  const open = new Map<string, Open>();
  const counted = new WeakMap<Socket, Open | null>();
  // The same for all: thousands may be open.
  function closed(this: Socket): void {
    const own = counted.get(this);
    if (!own) return;
    own.sockets -= 1;
    if (own.sockets === 0) open.delete(own.network);
  }
  server.on('connection', (socket: Socket) => {
    // An upgrade that is put back comes a second time.
    if (counted.has(socket)) return;
    counted.set(socket, null);
    const network = nameOf(socket, trusted);
    if (network === null) return;
    const own = open.get(network) ?? { network, sockets: 0 };
    if (own.sockets >= most) {
      turnAway(socket, tooMany(most));
      return;
    }
    own.sockets += 1;
    open.set(network, own);
    counted.set(socket, own);
    socket.once('close', closed);
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
