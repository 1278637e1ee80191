import type { Request, RequestHandler, Router } from 'express';
import { logOrigin, parseLogOrigin } from '../../protocol/board-name.js';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { sliceRouter } from '../../server/http/options.js';
import { CURRENT, type KeptLog } from './log-of.js';
import { logRouter } from './router.js';

const GENERATION = /^(?:[2-9]|[1-9][0-9]{1,5})$/;

/**
 * `/log` and, from the second generation of the board's log on, `/log<n>`
 * (mesh.md B1). A closed generation stays readable while its rows are here,
 * and is else 410 `log_closed` with the `next_origin` to read.
 */
export function ownLogsRouter(ctx: Context): Router {
  const router = sliceRouter();
  const { find, logOf } = ownLog(ctx);
  router.use('/log{:generation}', find, logRouter(ctx, logOf));
  return router;
}

function ownLog({ board, reads }: Context) {
  const found = new WeakMap<Request, KeptLog>();
  const present = parseLogOrigin(board.origin)?.generation ?? 1;
  const find: RequestHandler<{ generation?: string }> = async (
    req,
    _res,
    next,
  ) => {
    const { generation: given } = req.params;
    if (given !== undefined && !GENERATION.test(given)) return next('router');
    const generation = Number(given ?? 1);
    if (generation > present) return next('router');
    // Other methods are refused whatever is kept (decisions 1.8).
    const reading = req.method === 'GET' || req.method === 'HEAD';
    if (generation < present && reading) {
      const origin = logOrigin(board.name, generation);
      const [row] = await reads.query<KeptLog>(
        `SELECT origin_id AS "originId", true AS own FROM log_state
         WHERE origin = $1 AND closed_at IS NOT NULL`,
        [origin],
      );
      if (row === undefined) throw closed(origin, board.origin);
      found.set(req as Request, row);
    }
    next();
  };
  return { find, logOf: (req: Request) => found.get(req) ?? CURRENT };
}

function closed(origin: string, next: string): BoardError {
  return new BoardError(
    'log_closed',
    `The log ${origin} has ended and its entries are not here any more; mirrors of it may still hold them. The board goes on as ${next}.`,
    { next_origin: next },
  );
}
