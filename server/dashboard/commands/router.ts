import type { RequestHandler, Router } from 'express';
import type { Context } from '../../context.js';
import { sendJson } from '../../http/conditional.js';
import type { PeerDesk } from '../../../mesh/mesh-ports.js';
import { COMMANDS, type CommandName } from '../events.js';
import { type ActionHandlers, mountActions } from '../mount-actions.js';
import { operatorOf } from '../session.js';
import { exportDecisions } from './export-decisions.js';
import { exportUsefulness } from './export-usefulness.js';
import type { WorkDesk } from './registry.js';
import { runCommand } from './run-command.js';

/**
 * The operators' work over HTTP: POST /admin/api/do/<command> with the same
 * input as over the socket, and the exports.
 */
export function mountWork(
  ctx: Context,
  router: Router,
  peers: PeerDesk | null,
): void {
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
