import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import {
  ACTIONS,
  type ActionName,
  type Least,
  type Role,
  reaches,
} from './roles.js';
import { sessionHash } from './session-cookie.js';
import { isOwnOrigin } from './session-origin.js';

const MINUTE_MS = 60_000;
/** A session ends this long after its last request … */
export const IDLE_MS = 12 * 60 * MINUTE_MS;
/**
 * … and this long after its sign-in, whatever happens (spec/operators.md §1.2).
 */
export const ABSOLUTE_MS = 7 * 24 * 60 * MINUTE_MS;
/** How long a credential counts as just given. */
export const FRESH_MS = 10 * MINUTE_MS;

/** Who a request or an event comes from. Times in ms. */
export type SignedIn = {
  operatorId: string;
  /** What the operator signs in with. */
  name: string;
  /** What readers see. */
  alias: string;
  role: Role;
  /** Names the device in lists and in the trail; it opens nothing. */
  sessionId: string;
  method: 'passkey' | 'passphrase' | 'recovery';
  /** When the credential was last given. */
  credentialAt: number;
  expiresAt: number;
};

type Sessions = Pick<Context, 'config' | 'writes' | 'clock'>;

/**
 * The live session of a Cookie header, and notes that it was used; null for
 * none. For requests, and for the handshake of a socket. Reads the primary: a
 * sign-out counts from the moment it is answered.
 */
export async function readSession(
  ctx: Sessions,
  cookie: string | undefined,
): Promise<SignedIn | null> {
  const hash = sessionHash(ctx, cookie);
  if (hash === null) return null;
  const now = ctx.clock.now();
  const [row] = await ctx.writes.query<SignedIn>(
    `WITH used AS (
       UPDATE operator_session SET seen_at = $2
       WHERE token_hash = $1 AND expires_at > $2
         AND seen_at > $2 - $3::bigint AND seen_at <= $2 - $4::bigint)
     SELECT o.id AS "operatorId", o.name, o.alias, o.role,
       s.id AS "sessionId", s.method, s.credential_at AS "credentialAt",
       s.expires_at AS "expiresAt"
     FROM operator_session s JOIN operator o ON o.id = s.operator_id
     WHERE s.token_hash = $1 AND s.expires_at > $2
       AND s.seen_at > $2 - $3::bigint AND o.state = 'active'`,
    [hash, now, IDLE_MS, MINUTE_MS],
  );
  return row ?? null;
}

/**
 * Of these sessions those that are still open, with what their operator is now:
 * an open socket asks again and again, and drops what is missing.
 */
export async function openSessions(
  ctx: Pick<Context, 'writes' | 'clock'>,
  sessionIds: readonly string[],
): Promise<Map<string, SignedIn>> {
  const now = ctx.clock.now();
  const rows = await ctx.writes.query<SignedIn>(
    `SELECT o.id AS "operatorId", o.name, o.alias, o.role,
       s.id AS "sessionId", s.method, s.credential_at AS "credentialAt",
       s.expires_at AS "expiresAt"
     FROM operator_session s JOIN operator o ON o.id = s.operator_id
     WHERE s.id = ANY($1::uuid[]) AND s.expires_at > $2
       AND s.seen_at > $2 - $3::bigint AND o.state = 'active'`,
    [sessionIds, now, IDLE_MS],
  );
  return new Map(rows.map((row) => [row.sessionId, row]));
}

const signedIn = new WeakMap<IncomingMessage, SignedIn | null>();

/** Reads the session of a request once, for those that come after. */
export function withSession(ctx: Sessions): RequestHandler {
  return async (req, _res, next) => {
    signedIn.set(req, await readSession(ctx, req.headers.cookie));
    next();
  };
}

/** The operator of a request, or null. `withSession` went before. */
export function visitorOf(req: Request): SignedIn | null {
  return signedIn.get(req) ?? null;
}

/**
 * The operator of a request.
 * @throws BoardError `unauthorized` (scope `session`) without a live session
 */
export function operatorOf(req: Request): SignedIn {
  const operator = visitorOf(req);
  if (operator !== null) return operator;
  throw new BoardError(
    'unauthorized',
    'Sign in at /admin first; there is no open session with this request.',
    { scope: 'session' },
  );
}

function checkRole(operator: SignedIn, least: Least): void {
  if (reaches(operator.role, least)) return;
  throw new BoardError(
    'forbidden',
    `This takes the role ${least}, and yours is ${operator.role}; ask an admin of this board.`,
    { scope: least },
  );
}

function checkFresh(operator: SignedIn, now: number): void {
  const age = now - operator.credentialAt;
  if (age >= 0 && age < FRESH_MS) return;
  throw new BoardError(
    'unauthorized',
    'Give your passkey or passphrase again; it was last given more than 10 minutes ago.',
    { scope: 'step_up' },
  );
}

/**
 * Checks an operator against an action's line in the table; the same for
 * requests and for a socket's events.
 * @throws BoardError `forbidden`, or `unauthorized` with scope `step_up`
 */
export function checkAction(
  operator: SignedIn,
  name: ActionName,
  now: number,
): void {
  const { least, fresh } = ACTIONS[name];
  checkRole(operator, least);
  if (fresh) checkFresh(operator, now);
}

/**
 * Refuses writes that the dashboard itself did not send (spec/operators.md
 * §1.4).
 */
export function requireOwnOrigin(ctx: Pick<Context, 'config'>): RequestHandler {
  return (req, _res, next) => {
    if (isOwnOrigin(ctx, req)) return next();
    throw new BoardError(
      'forbidden',
      'Only the pages of this board may do this; send the header Origin with its own address.',
    );
  };
}
