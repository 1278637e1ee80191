import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses a request whose `Host` is not this board's (MCP, Transports: DNS
 * rebinding): a page whose name was made to point here keeps that name. The
 * board's address and the loopback are its names; behind a proxy, which may
 * write `Host` anew, the proxy answers for it.
 */
export function checkHost({ config }: Pick<Context, 'config'>): RequestHandler {
  const { hostname } = new URL(config.baseUrl);
  const names = new Set([hostname, config.host, ...LOOPBACK]);
  return (req, _res, next) => {
    if (config.trustProxy !== '') return next();
    const host = (req.headers.host ?? '').toLowerCase();
    if (names.has(host.replace(/:\d{1,5}$/, ''))) return next();
    throw new BoardError(
      'forbidden',
      `This address belongs to ${config.baseUrl}; send the request there.`,
    );
  };
}
