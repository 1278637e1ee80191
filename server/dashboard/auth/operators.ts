import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { BoardError } from '../../errors.js';
import { parseBody } from '../../http/body/validate.js';
import { pathUuid } from '../../http/query.js';
import { actorOf } from '../audit.js';
import { operatorOf } from '../session.js';
import {
  type Account,
  type Change,
  changeAccount,
  listAccounts,
} from './accounts.js';
import { answer } from './answers.js';
import { role } from './fields.js';
import { openInvites } from './invites.js';

const nothing = z.strictObject({});
const newRole = z.strictObject({ role });

/** GET /admin/api/operators: `{data: [account], invites}` by name. */
export function listOperators(ctx: Context): RequestHandler {
  return async (req, res) => {
    const now = ctx.clock.now();
    const data = await listAccounts(ctx.writes, now);
    const invites = await openInvites(ctx.writes, now);
    answer(req, res, { data, invites });
  };
}

/** POST /admin/api/operators/{id}/role `{role}`: the account; 403, 404. */
export function changeRole(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { role } = parseBody(newRole, req.body);
    answer(req, res, await change(ctx, req, 'operator.role', { role }));
  };
}

/**
 * POST /admin/api/operators/{id}/disable `{}`: the account and its sessions
 * end; its decisions stay. 403 for the last admin, 404.
 */
export function disableOperator(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    const to = { state: 'disabled' } as const;
    answer(req, res, await change(ctx, req, 'operator.disable', to));
  };
}

/** POST /admin/api/operators/{id}/enable `{}`: the account; 404. */
export function enableOperator(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    const to = { state: 'active' } as const;
    answer(req, res, await change(ctx, req, 'operator.enable', to));
  };
}

async function change(
  ctx: Context,
  req: Request,
  action: string,
  to: Change,
): Promise<Account> {
  const operator = operatorOf(req);
  const id = pathUuid(req.params.id);
  const now = ctx.clock.now();
  const account = await ctx.writes.transaction((tx) =>
    changeAccount(tx, { id, action, to, by: actorOf(operator), now }),
  );
  if (account === null) throw unknown();
  return account;
}

function unknown(): BoardError {
  return new BoardError('not_found', 'There is no such operator.');
}
