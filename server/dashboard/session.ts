import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Context } from '../context.js';
import type { SessionMethod } from '../db/states.js';
import { BoardError } from '../errors.js';
import { requestNetwork } from '../http/network.js';
import { requestState } from '../http/request-state.js';
import { useSession } from './auth/access.sql.js';
import type { Role } from './roles.js';
import { cookieHash } from './session-store.js';

/** How long a credential counts as fresh. */
export const FRESH_MS = 10 * 60_000;

/** Times in ms. */
export type SignedIn = {
  operatorId: string;
  /** For sign-in. */
  name: string;
  /** Shown to readers. */
  alias: string;
  role: Role;
  /** Names the device in lists and trail; no secret. */
  sessionId: string;
  method: SessionMethod;
  /** Time of the last credential. */
  credentialAt: number;
  expiresAt: number;
};

declare module '../http/request-state.js' {
  interface RequestState {
    /** Null for none, undefined before `withSession`. */
    signedIn?: SignedIn | null;
  }
}

type Sessions = Pick<Context, 'config' | 'writes' | 'clock'>;
type Visits = Sessions & Pick<Context, 'readLimiter' | 'trustedProxies'>;

/** Also notes its use. Reads the primary: a sign-out counts at once. */
export async function readSession(
  ctx: Sessions,
  cookie: string | undefined,
): Promise<SignedIn | null> {
  const hash = cookieHash(ctx, 'operator', cookie);
  return hash && (await useSession(ctx.writes, hash, ctx.clock.now()));
}

const GUESSES = 'reads_per_network_minute';

/**
 * A wrong cookie spends a read, counted apart from the board's: made-up cookies
 * cannot flood the database.
 * @throws BoardError `rate_limited`
 */
export async function sessionOf(
  ctx: Visits,
  req: IncomingMessage,
): Promise<SignedIn | null> {
  const { cookie } = req.headers;
  if (cookieHash(ctx, 'operator', cookie) === null) return null;
  const network = requestNetwork(req, ctx.trustedProxies);
  const guesses = Buffer.concat([network, Buffer.from(' operator')]);
  ctx.readLimiter.assertRoom(GUESSES, guesses);
  const session = await readSession(ctx, cookie);
  if (session === null) ctx.readLimiter.add(GUESSES, guesses, 1);
  return session;
}

/** Once per request. */
export function withSession(ctx: Visits): RequestHandler {
  return async (req, _res, next) => {
    requestState(req).signedIn = await sessionOf(ctx, req);
    next();
  };
}

/** Needs `withSession`. */
export function visitorOf(req: Request): SignedIn | null {
  return requestState(req).signedIn ?? null;
}

/** @throws BoardError `unauthorized` (scope `session`) without a session */
export function operatorOf(req: Request): SignedIn {
  const operator = visitorOf(req);
  if (operator !== null) return operator;
  throw new BoardError(
    'unauthorized',
    'Sign in at /admin first; there is no open session with this request.',
    { scope: 'session' },
  );
}

type At = Pick<Context, 'config'>;

/** spec/operators.md §1.4 */
export function requireOwnOrigin(ctx: At): RequestHandler {
  return (req, _res, next) => {
    if (isOwnOrigin(ctx, req)) return next();
    throw new BoardError(
      'forbidden',
      'Only the pages of this board may do this; send the header Origin with its own address.',
    );
  };
}

const IPV4 = /^[0-9.]+$/;

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || /^127\.[0-9.]+$/.test(hostname);
}

/** spec/operators.md §1.1 */
function adminOrigins({ config }: At, req: IncomingMessage): string[] {
  const base = new URL(config.baseUrl);
  if (!isLoopback(base.hostname)) return [base.origin];
  // `PORT=0`: the port of the request.
  const port = base.port === '0' ? (req.socket.localPort ?? '') : base.port;
  const hosts = new Set(['localhost', '127.0.0.1', base.hostname]);
  return [...hosts].map(
    (host) => new URL(`${base.protocol}//${host}:${port}`).origin,
  );
}

/** A missing or `null` Origin is refused unless the browser vouches. */
export function isOwnOrigin(ctx: At, req: IncomingMessage): boolean {
  const { origin } = req.headers;
  const site = req.headers['sec-fetch-site'];
  if (origin === undefined) return site === 'same-origin';
  if (site !== undefined && site !== 'same-origin') return false;
  return adminOrigins(ctx, req).includes(origin);
}

/** WebAuthn checks passkeys against it. */
export type RelyingParty = { id: string; origin: string };

/** Null: no passkeys (spec/operators.md §1.1), as on IP addresses. */
export function relyingParty(
  ctx: At,
  req: IncomingMessage,
): RelyingParty | null {
  const base = new URL(ctx.config.baseUrl);
  const asked = req.headers.origin ?? `${base.protocol}//${req.headers.host}`;
  const origin = adminOrigins(ctx, req).find((own) => own === asked);
  if (origin === undefined) return null;
  const { protocol, hostname: id } = new URL(origin);
  const secure = protocol === 'https:' || id === 'localhost';
  return secure && !IPV4.test(id) ? { id, origin } : null;
}

/** On loopback under a name that can have passkeys. */
export function setupAddress({ config }: At, port: number): string {
  const base = new URL(config.baseUrl);
  if (isLoopback(base.hostname)) base.hostname = 'localhost';
  if (base.port === '0') base.port = String(port);
  return base.origin;
}
