import type { Request, RequestHandler, Router } from 'express';
import type { Context } from '../../../server/context.js';
import { BoardError } from '../../../server/errors.js';
import { jsonHeaders } from '../../../server/http/headers.js';
import { sliceRouter } from '../../../server/http/route.js';
import type { KeptLog, LogOf } from '../log/log-of.js';
import { logRouter } from '../log/router.js';

/**
 * `/mirror/<hex sha256(origin)>`: the logs of other boards as this node keeps
 * them, for auditors and for peers whose origin is away (spec/mesh.md §B7). It
 * is the code of `/log`, under another origin's rows and signature.
 */
export function mirrorRouter(ctx: Context): Router {
  const router = sliceRouter();
  const { find, logOf } = mirroredLog(ctx);
  router.use('/mirror/:hash', jsonHeaders(), find, logRouter(ctx, logOf));
  return router;
}

const HASH = /^[0-9a-f]{64}$/;

/**
 * Finds the log that `/mirror/<hex sha256(origin)>` names. `logOf` answers for
 * requests that `find` has let through. 404 `unknown_origin` for a log that
 * is not mirrored here, our own among them; a closed generation of ours is
 * kept like any other.
 */
function mirroredLog(ctx: Context): {
  find: RequestHandler;
  logOf: LogOf;
} {
  const found = new WeakMap<Request, KeptLog>();
  return {
    find: async (req, _res, next) => {
      // The log itself is no resource, only what lies below it.
      if (req.path === '/') return next('router');
      // Other methods are refused whatever is mirrored (spec/board.md §1.8).
      if (req.method !== 'GET' && req.method !== 'HEAD') return next();
      const { hash } = req.params;
      const [row] =
        typeof hash === 'string' && HASH.test(hash)
          ? await ctx.reads.query<KeptLog>(
              `SELECT origin_id AS "originId", closed_at IS NOT NULL AS own
               FROM log_state WHERE origin_id > 0
               AND encode(sha256(convert_to(origin, 'UTF8')), 'hex') = $1`,
              [hash],
            )
          : [];
      if (row === undefined) throw unknown();
      found.set(req, row);
      next();
    },
    logOf: (req) => {
      const log = found.get(req);
      if (log === undefined) throw unknown();
      return log;
    },
  };
}

function unknown(): BoardError {
  return new BoardError(
    'unknown_origin',
    'No log of this origin is mirrored here; /api/mesh lists the peers, and the path holds the hex SHA-256 of an origin.',
  );
}
