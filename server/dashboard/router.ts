import type { Request, RequestHandler, Router } from 'express';
import type { z } from 'zod';
import type { PeerAdmin } from '../../mesh/mesh-ports.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { jsonBody } from '../http/body/json-body.js';
import { parseBody } from '../http/body/validate.js';
import { closeToOtherSites } from '../http/headers.js';
import { parseQuery } from '../http/query.js';
import { strictRouter } from '../http/route.js';
import { sendJson, setHeaders } from '../http/send.js';
import { ALL } from './all-commands.js';
import { type Audit, actorOf, audited } from './audit.js';
import { ScryptQueue } from './auth/scrypt-queue.js';
import { Turns } from './auth/turns.js';
import {
  type AdminContext,
  type Command,
  checkRight,
  NOTHING,
  operatorFrom,
  type RequestCommand,
  run,
} from './command.js';
import {
  operatorOf,
  requireOwnOrigin,
  type SignedIn,
  visitorOf,
  withSession,
} from './session.js';
import { dashboard } from './ui.js';

export function addressOf({ name, http }: Command | RequestCommand): {
  method: 'GET' | 'POST';
  path: string;
} {
  const [method, path] = (http ?? `POST /do/${name}`).split(' ');
  return { method: method === 'GET' ? 'GET' : 'POST', path: path ?? '' };
}

/** Reads the input of a request and answers with what a command does. */
function handlerOf(
  ctx: AdminContext,
  it: Command | RequestCommand,
): RequestHandler {
  return async (req, res) => {
    const operator = visitorOf(req) as SignedIn;
    const send = (answer: unknown, status = 200) =>
      answer !== undefined &&
      sendJson(req, res, answer as object, { cache: 'no-store', status });
    if (it.http === undefined) {
      return void send(await run(ctx, operatorFrom(operator), it, req.body));
    }
    const input = inputOf(it, req);
    const audit: Audit = (work) =>
      audited(ctx, actorOf(operator), it.name, work);
    const call = { ctx, req, res, operator, input, audit };
    send(await it.handle(call), it.status);
  };
}

/** Undeclared queries are ignored. */
function inputOf({ input }: RequestCommand, req: Request): unknown {
  if (req.method === 'POST') return parseBody(input, req.body);
  if (input === NOTHING) return {};
  return parseQuery(input as z.ZodObject, req.originalUrl);
}

const SUBJECTS_MAX = 1000;

/** A write's Origin is checked first, then operator and body. */
function mount(ctx: AdminContext, router: Router): void {
  const methods = new Map<string, Set<string>>();
  const session = withSession(ctx);
  const { request_bytes: bytes } = ctx.limits;
  const body = jsonBody(bytes);
  const long = jsonBody(bytes, {}, SUBJECTS_MAX);
  const origin = requireOwnOrigin(ctx);
  for (const it of ALL) {
    const { method, path } = addressOf(it);
    const at = `/api${path}`;
    const isOpen = it.right === 'anyone';
    const check: RequestHandler = (req, _res, next) => {
      if (!isOpen) checkRight(operatorOf(req), it, ctx.clock.now());
      next();
    };
    const handler = handlerOf(ctx, it);
    if (method === 'GET') router.get(at, session, check, handler);
    else router.post(at, origin, session, check, isOpen ? body : long, handler);
    methods.set(at, (methods.get(at) ?? new Set()).add(method));
  }
  for (const [path, known] of methods) router.all(path, otherMethods(known));
}

/** No CORS header, even for OPTIONS (spec/operators.md §3). */
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

export type AdminParts = Pick<AdminContext, 'refusalMs'> & {
  /** scrypt's N. */
  passphraseCost: number;
  /** The folder of `npm run build`. */
  built?: string;
};

export function adminRoutes(
  ctx: Context,
  peers: PeerAdmin | null,
  { passphraseCost, refusalMs, built }: AdminParts,
): Router {
  const router = strictRouter();
  router.use('/api', (_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  const scrypt = new ScryptQueue(passphraseCost);
  const turns = new Turns();
  mount({ ...ctx, peers, refusalMs, scrypt, turns }, router);
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
  parts: AdminParts,
): RequestHandler {
  const router = adminRoutes(ctx, peers, parts);
  // A plain handler: the list of the public API looks for routers.
  return (req, res, next) => {
    closeToOtherSites(req);
    setHeaders(req, res, 'json');
    router(req, res, next);
  };
}
