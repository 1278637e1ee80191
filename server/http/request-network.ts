import type { Request } from 'express';
import type { TrustedProxies } from './network.js';
import { networkOf } from './network.js';

/** The network a request counts for; its address goes no further. */
export function requestNetwork(
  req: Request,
  trusted: TrustedProxies,
): Uint8Array {
  return networkOf(
    req.socket.remoteAddress,
    req.headers['x-forwarded-for'],
    trusted,
  );
}
