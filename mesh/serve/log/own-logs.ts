import type { Request, RequestHandler, Router } from 'express';
import {
  logOrigin,
  logPath,
  parseLogOrigin,
} from '../../../protocol/board-name.js';
import type { Context } from '../../../server/context.js';
import { BoardError } from '../../../server/errors.js';
import { sliceRouter } from '../../../server/http/route.js';
import { OWN_LOG } from '../../../server/ledger/nodes.js';
import { CURRENT, type KeptLog } from './log-of.js';
import { lostLog } from './lost-log.js';
import { logRouter } from './router.js';

/** `/log<n>` of a later generation, before what is asked of it. */
const LATER = /^\/log(?:[2-9]|[1-9][0-9]{1,5})(?=\/)/;

/**
 * `/log` and, from the second generation of the board's log on, `/log<n>`
 * (spec/mesh.md §B1). A closed generation stays readable while its rows are
 * here, and is else 410 `log_closed` with the `next_origin` to read. Of a log
 * that was lost nothing is told, nor that it is empty: a signed size of 0 would
 * be this board's own word against itself (503 `log_guard`).
 */
export function ownLogsRouter(ctx: Context): Router {
  const router = sliceRouter();
  const { name, find, logOf } = ownLog(ctx);
  router.use(name);
  router.use('/log', find, logRouter(ctx, logOf));
  return router;
}

function ownLog({ board, reads, guard }: Context) {
  const later = new WeakMap<Request, string>();
  const found = new WeakMap<Request, KeptLog>();
  const present = parseLogOrigin(board.origin)?.generation ?? 1;

  /** One set of routes serves every generation, under the name of the first. */
  const name: RequestHandler = (req, _res, next) => {
    const [path] = LATER.exec(req.url) ?? [];
    const origin = path === undefined ? null : `${board.name}${path}`;
    const generation = parseLogOrigin(origin ?? '')?.generation ?? 1;
    if (origin !== null && path !== undefined && generation <= present) {
      later.set(req, origin);
      req.url = `/log${req.url.slice(path.length)}`;
    }
    next();
  };

  const find: RequestHandler = async (req, _res, next) => {
    const origin = later.get(req) ?? logOrigin(board.name);
    // Other methods are refused whatever is kept (spec/board.md §1.8).
    const reading = req.method === 'GET' || req.method === 'HEAD';
    if (!reading || req.path === '/') {
      next();
      return;
    }
    if (origin === board.origin) {
      if (guard.closed !== null && (await isUnsigned())) throw lostLog();
    } else {
      const [row] = await reads.query<KeptLog>(
        `SELECT origin_id AS "originId", true AS own FROM log_state
         WHERE origin = $1 AND closed_at IS NOT NULL`,
        [origin],
      );
      if (row === undefined) throw closed(origin, board.origin);
      found.set(req, row);
    }
    next();
  };
  /** An empty log was not begun here; one under restore has no head yet. */
  const isUnsigned = async (): Promise<boolean> => {
    const [head] = await reads.query<{ size: number; checkpoint: string }>(
      'SELECT size, checkpoint FROM log_state WHERE origin_id = $1',
      [OWN_LOG],
    );
    return head?.size === 0 || head?.checkpoint === '';
  };
  return { name, find, logOf: (req: Request) => found.get(req) ?? CURRENT };
}

function closed(origin: string, next: string): BoardError {
  return new BoardError(
    'log_closed',
    `The log ${origin} has ended and its entries are not here any more; mirrors of it may still hold them. The board goes on at ${logPath(next)}.`,
    { next_origin: next },
  );
}
