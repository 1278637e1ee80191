import type { Request, RequestHandler } from 'express';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import type { LogOf } from '../log/log-of.js';

const HASH = /^[0-9a-f]{64}$/;

/**
 * Finds the log that `/mirror/<hex sha256(origin)>` names. `logOf` answers for
 * requests that `find` has let through. 404 `unknown_origin` for a log that
 * is not mirrored here, our own among them.
 */
export function mirroredLog(ctx: Context): {
  find: RequestHandler;
  logOf: LogOf;
} {
  const found = new WeakMap<Request, number>();
  return {
    find: async (req, _res, next) => {
      // The log itself is no resource, only what lies below it.
      if (req.path === '/') return next('router');
      // Other methods are refused whatever is mirrored (decisions 1.8).
      if (req.method !== 'GET' && req.method !== 'HEAD') return next();
      const { hash } = req.params;
      const [row] =
        typeof hash === 'string' && HASH.test(hash)
          ? await ctx.reads.query<{ origin_id: number }>(
              `SELECT origin_id FROM log_state WHERE origin_id > 0
               AND encode(sha256(convert_to(origin, 'UTF8')), 'hex') = $1`,
              [hash],
            )
          : [];
      if (row === undefined) throw unknown();
      found.set(req, row.origin_id);
      next();
    },
    logOf: (req) => {
      const originId = found.get(req);
      if (originId === undefined) throw unknown();
      return originId;
    },
  };
}

function unknown(): BoardError {
  return new BoardError(
    'unknown_origin',
    'No log of this origin is mirrored here; /api/mesh lists the peers, and the path holds the hex SHA-256 of an origin.',
  );
}
