import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { BoardError } from '../../errors.js';
import { parseBody } from '../../http/body/validate.js';
import { pathUuid } from '../../http/query.js';
import { actorOf, recordAudit } from '../audit.js';
import { operatorOf, type SignedIn } from '../session.js';
import { clearSessionCookie, endSessions } from '../session-store.js';
import { answer } from './answers.js';
import { devicesOf } from './devices.js';

const nothing = z.strictObject({});

/** GET /admin/api/sessions: `{data: [device]}`, the newest first. */
export function listSessions(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { operatorId, sessionId } = operatorOf(req);
    const now = ctx.clock.now();
    const data = await devicesOf(ctx.writes, operatorId, sessionId, now);
    answer(req, res, { data });
  };
}

/**
 * POST /admin/api/sign-out `{}`: ends this session; its cookie opens nothing
 * from here on, whoever holds it.
 */
export function signOut(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    const operator = operatorOf(req);
    await end(ctx, operator, 'session.sign_out', { only: operator.sessionId });
    clearSessionCookie(ctx, res);
    answer(req, res, { signed_in: false });
  };
}

/**
 * POST /admin/api/sessions/{id}/revoke `{}`: ends one of the own devices;
 * `{ended: 1}`, 404 for one that is not there or another operator's.
 */
export function revokeSession(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    const operator = operatorOf(req);
    const only = pathUuid(req.params.id);
    const ended =
      only === null ? 0 : await end(ctx, operator, 'session.revoke', { only });
    if (ended === 0) {
      throw new BoardError('not_found', 'You have no such open session.');
    }
    if (only === operator.sessionId) clearSessionCookie(ctx, res);
    answer(req, res, { ended });
  };
}

/** POST /admin/api/sessions/revoke-others `{}`: `{ended}`, all but this one. */
export function revokeOtherSessions(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    const operator = operatorOf(req);
    const but = operator.sessionId;
    const ended = await end(ctx, operator, 'session.revoke_others', { but });
    answer(req, res, { ended });
  };
}

async function end(
  ctx: Context,
  operator: SignedIn,
  action: string,
  which: { only?: string; but?: string },
): Promise<number> {
  return await ctx.writes.transaction(async (tx) => {
    const ended = await endSessions(tx, operator.operatorId, which);
    if (ended.length === 0) return 0;
    const subject = `operator:${operator.name}`;
    const deed = { action, subject, before: { sessions: ended } };
    await recordAudit(tx, actorOf(operator), deed, ctx.clock.now());
    return ended.length;
  });
}
