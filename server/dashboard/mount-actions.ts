import type { RequestHandler, Router } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { jsonBody } from '../http/body/json-body.js';
import { ACTIONS, type ActionName } from './roles.js';
import {
  checkAction,
  operatorOf,
  requireOwnOrigin,
  withSession,
} from './session.js';

/** What answers which action. */
export type ActionHandlers = Partial<Record<ActionName, RequestHandler>>;

/** The session, the role and the age of the credential that an action asks. */
function guard(ctx: Context, name: ActionName): RequestHandler {
  const { least } = ACTIONS[name];
  return (req, _res, next) => {
    if (least !== 'anyone') {
      checkAction(operatorOf(req), name, ctx.clock.now());
    }
    next();
  };
}

/**
 * Mounts handlers at the addresses of their actions. A write is checked for
 * its Origin first, then its operator, then its body.
 */
export function mountActions(
  ctx: Context,
  router: Router,
  handlers: ActionHandlers,
): void {
  const methods = new Map<string, Set<string>>();
  const session = withSession(ctx);
  const body = jsonBody(ctx.limits.request_bytes);
  const origin = requireOwnOrigin(ctx);
  const named = Object.entries(handlers) as [ActionName, RequestHandler][];
  for (const [name, handler] of named) {
    const { method, path } = ACTIONS[name];
    const at = `/api${path}`;
    const check = guard(ctx, name);
    if (method === 'GET') router.get(at, session, check, handler);
    else router.post(at, origin, session, check, body, handler);
    const known = methods.get(at) ?? new Set();
    methods.set(at, known.add(method));
  }
  for (const [path, known] of methods) router.all(path, otherMethods(known));
}

/** No CORS header, not even for OPTIONS (spec/operators.md §3). */
function otherMethods(known: ReadonlySet<string>): RequestHandler {
  const allow = [...known].flatMap((it) =>
    it === 'GET' ? ['GET', 'HEAD'] : it,
  );
  const line = [...allow, 'OPTIONS'].join(', ');
  return (req, res) => {
    if (req.method === 'OPTIONS') {
      res.status(204).setHeader('Allow', line).end();
      return;
    }
    throw new BoardError(
      'method_not_allowed',
      `${req.method} is not allowed here; use ${allow.join(', ')}.`,
      {},
      { Allow: line },
    );
  };
}
