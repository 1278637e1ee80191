import type { RequestHandler, Router } from 'express';
import { z } from 'zod';
import type { PeerDesk } from '../../mesh/mesh-ports.js';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../protocol/moderation.js';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { closeToOtherSites, setHeaders } from '../http/headers.js';
import { integer, oneOf, parseQuery, text } from '../http/query-fields.js';
import { sliceRouter } from '../http/route.js';
import { mountAccess } from './auth/router.js';
import { exportUsefulness } from './commands/export-usefulness.js';
import { allDecisions } from './commands/list-decisions.js';
import type { WorkDesk } from './commands/registry.js';
import { runCommand } from './commands/run-command.js';
import { COMMANDS, type CommandName } from './events.js';
import { type ActionHandlers, mountActions } from './mount-actions.js';
import { operatorOf } from './session.js';
import { streamFile } from './stream-file.js';
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

/**
 * The operators' work over HTTP: POST /admin/api/do/<command> with the same
 * input as over the socket, and the exports.
 */
function mountWork(ctx: Context, router: Router, peers: PeerDesk | null): void {
  const desk: WorkDesk = { ...ctx, peers };
  const names = Object.keys(COMMANDS) as CommandName[];
  const commands: ActionHandlers = Object.fromEntries(
    names.map((name) => [name, command(desk, name)]),
  );
  mountActions(ctx, router, {
    ...commands,
    'decision.export': exportDecisions(ctx),
    'usefulness.export': exportUsefulness(ctx),
  });
}

function command(desk: WorkDesk, name: CommandName): RequestHandler {
  return async (req, res) => {
    const done = await runCommand(desk, operatorOf(req), name, req.body);
    sendJson(req, res, done as object, { cache: 'no-store' });
  };
}

const COLUMNS = [
  ...['id', 'message_id', 'poll_id', 'room', 'action', 'outcome', 'reason'],
  ...['explanation', 'private_note', 'operator', 'decided_at', 'supersedes'],
  ...['superseded_by', 'log_index'],
];

const QUERY = z.object({
  format: oneOf(['csv', 'json']).default('json'),
  action: oneOf(MODERATION_ACTIONS).optional(),
  reason: oneOf(MODERATION_REASONS).optional(),
  operator: text().optional(),
  room: oneOf(ROOMS).optional(),
  message_id: integer().optional(),
  from: integer().optional(),
  to: integer().optional(),
});

/**
 * GET /admin/api/do/decisions?format=csv|json, filtered by `action`,
 * `reason`, `operator`, `room`, `message_id`, `from` and `to` (ms): every
 * decision that is left, newest first. 400 for a bad filter.
 */
function exportDecisions(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { format, ...filters } = parseQuery(QUERY, req.originalUrl);
    const rows = allDecisions(ctx, { ...filters, limit: 100 });
    const file = { name: 'decisions', format, columns: COLUMNS, rows };
    await streamFile(req, res, file);
  };
}
