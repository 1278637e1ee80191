import type { RequestHandler, Router } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { closeToOtherSites, setHeaders } from '../http/headers.js';
import { sliceRouter } from '../http/route.js';
import type { PeerDesk } from '../../mesh/mesh-ports.js';
import { mountAccess } from './auth/router.js';
import { mountWork } from './commands/router.js';
import { dashboard } from './ui.js';

/** The routes below `/admin`, as the table of actions lists them. */
export function adminRoutes(ctx: Context, peers: PeerDesk | null): Router {
  const router = sliceRouter();
  router.use('/api', noStore());
  mountAccess(ctx, router);
  mountWork(ctx, router, peers);
  router.use('/api', (_req, _res) => {
    throw new BoardError('not_found', 'There is nothing at this address.');
  });
  router.use(dashboard());
  return router;
}

/**
 * `/admin` and everything below it, closed to other sites and never cached.
 * Nothing of it goes on to the public routes: what is not here is a 404 here.
 */
export function adminRouter(
  ctx: Context,
  peers: PeerDesk | null,
): RequestHandler {
  const router = adminRoutes(ctx, peers);
  // Not the router itself: operators' routes are no part of the public API,
  // and whoever lists that one looks for routers.
  return (req, res, next) => {
    closeToOtherSites(req);
    setHeaders(req, res, 'json');
    router(req, res, next);
  };
}

function noStore(): RequestHandler {
  return (_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  };
}
