import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import type { PeerAdmin } from '../../mesh/mesh-ports.js';
import type { Context } from '../context.js';
import { OPERATOR_ROLES, type OperatorRole } from '../db/states.js';
import { BoardError } from '../errors.js';
import { jsonBody } from '../http/body/json-body.js';
import { parseBody } from '../http/body/validate.js';
import { sendJson } from '../http/send.js';
import { type Audit, actorOf, audited } from './audit.js';
import type { ScryptQueue } from './auth/scrypt-queue.js';
import type { Turns } from './auth/turns.js';
import {
  FRESH_MS,
  operatorOf,
  requireOwnOrigin,
  type SignedIn,
  visitorOf,
  withSession,
} from './session.js';

/**
 * Roles, each with all the rights of those before it (spec/operators.md §1.5).
 */
export const ROLES = OPERATOR_ROLES;
export type Role = OperatorRole;

/** Whom an action asks for; `anyone` needs no session. */
type Least = 'anyone' | Role;

/** Whether a role includes another's rights. */
export function reaches(role: Role, least: Least): boolean {
  return least === 'anyone' || ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/**
 * The address of an action and what it asks for. `path` is under
 * `/admin/api`. `fresh`: the credential was given in the last ten minutes.
 */
export type ActionRule = {
  method: 'GET' | 'POST';
  path: string;
  least: Least;
  fresh: boolean;
};

/** What the handlers of `/admin` work with. */
export type AdminContext = Context & {
  /** Null on a node without the mesh. */
  peers: PeerAdmin | null;
  scrypt: ScryptQueue;
  /** Of what counts attempts to sign in. */
  turns: Turns;
};

export type Action = ActionRule & {
  name: string;
  handler(ctx: AdminContext): RequestHandler;
};

export type ActionCall<Body = unknown> = {
  ctx: AdminContext;
  req: Request;
  res: Response;
  /** Only where the action asks for a role. */
  operator: SignedIn;
  body: Body;
  /** Under the name of the action. */
  audit: Audit;
};

type Declaration<Body> = {
  /** Also its name in the audit trail. */
  name: string;
  least: Least;
  fresh?: boolean;
  /** Of the body of a POST; without one it is `{}`. */
  body?: z.ZodType<Body>;
  /** Of the answer; 200 without one. */
  status?: number;
  /** The answer, or undefined where it has answered itself. */
  handle(
    call: ActionCall<Body>,
  ): Promise<object | undefined> | object | undefined;
} & ({ get: string; post?: never } | { post: string; get?: never });

const nothing = z.strictObject({});

/** Declares an action: its address, its right, its body and its work. */
export function action<Body = unknown>(it: Declaration<Body>): Action {
  const { name, least, fresh = false, handle, status = 200 } = it;
  const method = it.get === undefined ? 'POST' : 'GET';
  const schema = (it.body ?? nothing) as z.ZodType<Body>;
  return {
    ...{ name, method, path: it.get ?? it.post ?? '', least, fresh },
    handler: (ctx) => async (req, res) => {
      const operator = visitorOf(req) as SignedIn;
      const answer = await handle({
        ...{ ctx, req, res, operator },
        body:
          method === 'POST' ? parseBody(schema, req.body) : (undefined as Body),
        audit: (work) => audited(ctx, actorOf(operator), name, work),
      });
      if (answer === undefined) return;
      sendJson(req, res, answer, { cache: 'no-store', status });
    },
  };
}

/**
 * Checks an operator against the rule of an action, for requests and for a
 * socket's commands alike.
 * @throws BoardError `forbidden`, or `unauthorized` with scope `step_up`
 */
export function checkAction(
  { role, credentialAt }: SignedIn,
  { least, fresh }: Pick<ActionRule, 'least' | 'fresh'>,
  now: number,
): void {
  if (!reaches(role, least)) {
    throw new BoardError(
      'forbidden',
      `This takes the role ${least}, and yours is ${role}; ask an admin of this board.`,
      { scope: least },
    );
  }
  const age = now - credentialAt;
  if (!fresh || (age >= 0 && age < FRESH_MS)) return;
  throw new BoardError(
    'unauthorized',
    'Give your passkey or passphrase again; it was last given more than 10 minutes ago.',
    { scope: 'step_up' },
  );
}

/** Elements of a list that an operator's command takes. */
const SUBJECTS_MAX = 1000;

/**
 * Mounts actions at their addresses. A write is checked for its Origin first,
 * then its operator, then its body.
 */
export function mountActions(
  ctx: AdminContext,
  router: Router,
  actions: readonly Action[],
): void {
  const methods = new Map<string, Set<string>>();
  const session = withSession(ctx);
  const { request_bytes: bytes } = ctx.limits;
  const body = jsonBody(bytes);
  const long = jsonBody(bytes, {}, SUBJECTS_MAX);
  const origin = requireOwnOrigin(ctx);
  for (const rule of actions) {
    const { method, path, handler } = rule;
    const at = `/api${path}`;
    const check: RequestHandler = (req, _res, next) => {
      if (rule.least !== 'anyone') {
        checkAction(operatorOf(req), rule, ctx.clock.now());
      }
      next();
    };
    if (method === 'GET') router.get(at, session, check, handler(ctx));
    else
      router.post(
        at,
        origin,
        session,
        check,
        rule.least === 'anyone' ? body : long,
        handler(ctx),
      );
    methods.set(at, (methods.get(at) ?? new Set()).add(method));
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
