import type { IncomingMessage } from 'node:http';
import type { TrustedProxies } from './network.js';
import { namesNobody, networkOf } from './network.js';

type Known = {
  trusted: TrustedProxies;
  forwarded: IncomingMessage['headers'][string];
  network: Uint8Array;
};

/** Of each open connection, what its last request said. */
const known = new WeakMap<object, Known>();

/**
 * The network a request counts for; its address goes no further. Requests of
 * one connection that say the same get the same array.
 */
export function requestNetwork(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: TrustedProxies,
): Uint8Array {
  const forwarded = headers['x-forwarded-for'];
  const last = known.get(socket);
  if (last?.trusted === trusted && last.forwarded === forwarded) {
    return last.network;
  }
  const network = networkOf(socket.remoteAddress, forwarded, trusted);
  known.set(socket, { trusted, forwarded, network });
  return network;
}

/** Whether a request has no network of its own (`namesNobody`). */
export function isUnnamed(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: TrustedProxies,
): boolean {
  return namesNobody(socket.remoteAddress, headers['x-forwarded-for'], trusted);
}
