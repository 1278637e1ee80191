import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { isUnnamed } from './request-network.js';

/**
 * What a machine that is trusted as a proxy may also ask for itself: probes, and
 * other boards on it (spec/board.md §16.6). `/log<n>` are later logs of `/log`.
 */
const FOR_ITSELF =
  /^\/(?:healthz|readyz|log[0-9]{0,6}|mirror|api\/mesh)(?:\/|$)/;

/**
 * Refuses what a trusted proxy on another machine sends without a client, and
 * tells `alert` so.
 * @throws BoardError `invalid_input`
 */
export function namedClients(
  { trustedProxies }: Pick<Context, 'trustedProxies'>,
  alert: () => void,
): RequestHandler {
  return (req, _res, next) => {
    if (FOR_ITSELF.test(req.path) || !isUnnamed(req, trustedProxies)) {
      next();
      return;
    }
    alert();
    throw new BoardError(
      'invalid_input',
      "The proxy in front of this board names no client; its operator must let it set X-Forwarded-For to the client's address, or take it out of TRUST_PROXY.",
    );
  };
}
