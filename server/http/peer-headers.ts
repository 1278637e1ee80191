import type { RequestHandler } from 'express';
import { RELEASE } from './release.js';

const NAME = 'reserve-board/';

/** The User-Agent of a node that asks another one. */
export const NODE_AGENT = `${NAME}${RELEASE}`;

const FOR_BROWSERS = [
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy',
  'Permissions-Policy',
  'X-Frame-Options',
];

/**
 * Leaves out of an answer to another node what only browsers act on: more
 * bytes than a message has, on each page of a live log and each cosignature.
 * Only for answers that no cache may keep, as others have to be the same for
 * everybody.
 */
export function bareForNodes(): RequestHandler {
  return (req, res, next) => {
    if (req.headers['user-agent']?.startsWith(NAME) === true) {
      for (const name of FOR_BROWSERS) res.removeHeader(name);
    }
    next();
  };
}
