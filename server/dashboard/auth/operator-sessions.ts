import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.js';
import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { parseBody } from '../../http/body/validate.js';
import { pathUuid } from '../../http/query.js';
import { actorOf, recordAudit } from '../audit.js';
import { operatorOf, type SignedIn } from '../session.js';
import { endSessions } from '../session-store.js';
import { answer } from './answers.js';
import { devicesOf } from './devices.js';

const nothing = z.strictObject({});

/** GET /admin/api/operators/{id}/sessions: `{data: [device]}`; 404. */
export function listOperatorSessions(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { sessionId } = operatorOf(req);
    const { id } = await named(ctx.writes, req.params.id);
    const now = ctx.clock.now();
    answer(req, res, { data: await devicesOf(ctx.writes, id, sessionId, now) });
  };
}

/**
 * POST /admin/api/operators/{id}/sessions/{session}/revoke `{}`: ends one
 * device of another operator; `{ended: 1}`, 404.
 */
export function revokeOperatorSession(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    const only = pathUuid(req.params.session);
    if (only === null) throw unknown();
    const action = 'operator.revoke_session';
    const { id } = req.params;
    const ended = await end(ctx, operatorOf(req), action, id, { only });
    if (ended === 0) throw unknown();
    answer(req, res, { ended });
  };
}

/** POST /admin/api/operators/{id}/sign-out `{}`: `{ended}` sessions; 404. */
export function signOutOperator(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    const action = 'operator.sign_out';
    const ended = await end(ctx, operatorOf(req), action, req.params.id, {});
    answer(req, res, { ended });
  };
}

async function end(
  ctx: Context,
  operator: SignedIn,
  action: string,
  id: PathId,
  which: { only?: string },
): Promise<number> {
  return await ctx.writes.transaction(async (tx) => {
    const account = await named(tx, id);
    const sessions = await endSessions(tx, account.id, which);
    if (sessions.length === 0) return 0;
    const deed = {
      action,
      subject: `operator:${account.name}`,
      before: { sessions },
    };
    await recordAudit(tx, actorOf(operator), deed, ctx.clock.now());
    return sessions.length;
  });
}

type PathId = Parameters<typeof pathUuid>[0];

async function named(
  sql: Sql,
  id: PathId,
): Promise<{ id: string; name: string }> {
  const [account] = await sql.query<{ id: string; name: string }>(
    'SELECT id, name FROM operator WHERE id = $1',
    [pathUuid(id)],
  );
  if (account !== undefined) return account;
  throw new BoardError('not_found', 'There is no such operator.');
}

function unknown(): BoardError {
  return new BoardError('not_found', 'There is no such open session.');
}
