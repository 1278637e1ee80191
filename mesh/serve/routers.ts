import type { RequestHandler, Router } from 'express';
import { IsNull, Not } from 'typeorm';
import {
  logOrigin,
  logPath,
  parseLogOrigin,
} from '../../protocol/board-name.js';
import type { Context } from '../../server/context.js';
import { LogState } from '../../server/db/entities/log.js';
import { BoardError } from '../../server/errors.js';
import { isRead } from '../../server/http/post-action.js';
import { strictRouter } from '../../server/http/route.js';
import { jsonHeaders } from '../../server/http/send.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import { lostLog, setLog } from './log-reads.js';
import { logRouter } from './log-router.js';

const LATER = /^\/log(?:[2-9]|[1-9][0-9]{1,5})(?=\/)/;

/**
 * spec/mesh.md §B1. A closed generation is readable while its rows are here,
 * else 410 `log_closed` with `next_origin`. A lost log shows nothing (503
 * `log_guard`): a signed size of 0 would contradict what was signed.
 */
export function ownLogsRouter(ctx: Context): Router {
  const router = strictRouter();
  router.use(nameGeneration(ctx));
  router.use('/log', findOwnLog(ctx), logRouter(ctx));
  return router;
}

/** All generations share the routes of the first. */
function nameGeneration({ board }: Context): RequestHandler {
  const present = parseLogOrigin(board.origin)?.generation ?? 1;
  return (req, res, next) => {
    const [path] = LATER.exec(req.url) ?? [];
    const origin = path === undefined ? null : `${board.name}${path}`;
    const generation = parseLogOrigin(origin ?? '')?.generation ?? 1;
    if (origin !== null && path !== undefined && generation <= present) {
      res.locals.logOrigin = origin;
      req.url = `/log${req.url.slice(path.length)}`;
    }
    next();
  };
}

function findOwnLog({ board, reads, guard }: Context): RequestHandler {
  /** An empty log, or one under restore, has no head yet. */
  const isUnsigned = async (): Promise<boolean> => {
    const head = await reads.manager.findOne(LogState, {
      select: { size: true, checkpoint: true },
      where: { originId: OWN_LOG },
    });
    return head?.size === 0 || head?.checkpoint === '';
  };
  return async (req, res, next) => {
    const { logOrigin: named } = res.locals as { logOrigin?: string };
    const origin = named ?? logOrigin(board.name);
    // Other methods are always refused (spec/board.md §1.8).
    if (!isRead(req) || req.path === '/') return next();
    if (origin === board.origin) {
      if (guard.closed !== null && (await isUnsigned())) throw lostLog();
      setLog(res, { originId: OWN_LOG, own: true });
    } else {
      const log = await reads.manager.findOne(LogState, {
        select: { originId: true },
        where: { origin, closedAt: Not(IsNull()) },
      });
      if (log === null) throw closed(origin, board.origin);
      setLog(res, { originId: log.originId, own: true });
    }
    next();
  };
}

function closed(origin: string, next: string): BoardError {
  return new BoardError(
    'log_closed',
    `The log ${origin} has ended and its entries are not here any more; mirrors of it may still hold them. The board goes on at ${logPath(next)}.`,
    { next_origin: next },
  );
}

/** For peers whose origin is down (spec/mesh.md §B7); code of `/log`. */
export function mirrorRouter(ctx: Context): Router {
  const router = strictRouter();
  const find = findMirror(ctx);
  router.use('/mirror/:hash', jsonHeaders(), find, logRouter(ctx));
  return router;
}

const HASH = /^[0-9a-f]{64}$/;

/** 404 `unknown_origin`, also for our present log. */
function findMirror({ reads }: Context): RequestHandler {
  return async (req, res, next) => {
    // Only resources under the log exist.
    if (req.path === '/') return next('router');
    // Other methods are always refused (spec/board.md §1.8).
    if (!isRead(req)) return next();
    const { hash } = req.params;
    const log =
      typeof hash === 'string' && HASH.test(hash)
        ? await reads.manager
            .createQueryBuilder(LogState, 's')
            .select(['s.originId', 's.closedAt'])
            .where('s.originId > 0')
            .andWhere(
              "encode(sha256(convert_to(s.origin, 'UTF8')), 'hex') = :hash",
              { hash },
            )
            .getOne()
        : null;
    if (log === null) {
      throw new BoardError(
        'unknown_origin',
        'No log of this origin is mirrored here; /api/mesh lists the peers, and the path holds the hex SHA-256 of an origin.',
      );
    }
    setLog(res, { originId: log.originId, own: log.closedAt !== null });
    next();
  };
}
