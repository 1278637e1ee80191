import type { RequestHandler, Router } from 'express';
import { z } from 'zod';
import type { PeerAdmin } from '../../mesh/mesh-ports.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { closeToOtherSites } from '../http/headers.js';
import { strictRouter } from '../http/route.js';
import { setHeaders } from '../http/send.js';
import {
  type Action,
  type AdminContext,
  action,
  mountActions,
} from './actions.js';
import { ACCESS } from './auth/access.js';
import { ScryptQueue } from './auth/scrypt-queue.js';
import { Turns } from './auth/turns.js';
import type { Command } from './commands/command.js';
import { exportDecisions } from './commands/decisions.js';
import { COMMANDS, runCommand } from './commands/list.js';
import { exportUsefulness } from './commands/usefulness.js';
import { dashboard } from './ui.js';

/** With the socket's input. */
function commandAction({ name, right, fresh = false }: Command): Action {
  return action({
    ...{ name, post: `/do/${name}`, least: right, fresh },
    body: z.unknown(), // the command checks it
    handle: ({ ctx, operator, body }) => runCommand(ctx, operator, name, body),
  });
}

/** All of `/admin/api`; the tests of the role matrix use it. */
export const ACTIONS: readonly Action[] = [
  ...ACCESS,
  ...Object.values(COMMANDS).map((it) => commandAction(it)),
  exportDecisions,
  exportUsefulness,
];

export function adminRoutes(
  ctx: Context,
  peers: PeerAdmin | null,
  built?: string,
): Router {
  const router = strictRouter();
  router.use('/api', (_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  const scrypt = new ScryptQueue(ctx.passphraseCost);
  const admin: AdminContext = { ...ctx, peers, scrypt, turns: new Turns() };
  mountActions(admin, router, ACTIONS);
  router.use('/api', () => {
    throw new BoardError('not_found', 'There is nothing at this address.');
  });
  router.use(dashboard(built));
  return router;
}

/** Never cached, closed to other sites; unknown addresses are 404 here. */
export function adminRouter(
  ctx: Context,
  peers: PeerAdmin | null,
  built?: string,
): RequestHandler {
  const router = adminRoutes(ctx, peers, built);
  // A plain handler: the list of the public API looks for routers.
  return (req, res, next) => {
    closeToOtherSites(req);
    setHeaders(req, res, 'json');
    router(req, res, next);
  };
}
