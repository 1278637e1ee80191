import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Context } from '../context.js';
import type { SessionMethod } from '../db/states.js';
import { BoardError } from '../errors.js';
import { requestNetwork } from '../http/network.js';
import { requestState } from '../http/request-state.js';
import type { Role } from './actions.js';
import { useSession } from './auth/access.sql.js';
import { cookieHash } from './session-store.js';

/** How long a credential counts as just given. */
export const FRESH_MS = 10 * 60_000;

/** Who a request or a socket belongs to. Times in ms. */
export type SignedIn = {
  operatorId: string;
  /** What the operator signs in with. */
  name: string;
  /** What readers see. */
  alias: string;
  role: Role;
  /** Names the device in lists and in the trail; it opens nothing. */
  sessionId: string;
  method: SessionMethod;
  /** When the credential was last given. */
  credentialAt: number;
  expiresAt: number;
};

declare module '../http/request-state.js' {
  interface RequestState {
    /** The operator; null for none, undefined before `withSession`. */
    signedIn?: SignedIn | null;
  }
}

type Sessions = Pick<Context, 'config' | 'writes' | 'clock'>;
type Visits = Sessions & Pick<Context, 'readLimiter' | 'trustedProxies'>;

/**
 * The live session of a Cookie header, and notes that it was used; null for
 * none. It reads the primary: a sign-out counts from the moment it is answered.
 */
export async function readSession(
  ctx: Sessions,
  cookie: string | undefined,
): Promise<SignedIn | null> {
  const hash = cookieHash(ctx, 'operator', cookie);
  return hash && (await useSession(ctx.writes, hash, ctx.clock.now()));
}

const GUESSES = 'reads_per_network_minute';

/**
 * The same for a request. A cookie that opens nothing spends a read, counted
 * apart from those of the board: made-up cookies reach the database no more
 * often than readers do, and readers keep no operator out.
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

/** Reads the session of a request once, for all later handlers. */
export function withSession(ctx: Visits): RequestHandler {
  return async (req, _res, next) => {
    requestState(req).signedIn = await sessionOf(ctx, req);
    next();
  };
}

/** The operator of a request, or null. `withSession` runs before it. */
export function visitorOf(req: Request): SignedIn | null {
  return requestState(req).signedIn ?? null;
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

type At = Pick<Context, 'config'>;

/**
 * Refuses writes that the dashboard itself did not send (spec/operators.md
 * §1.4).
 */
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

/** The origins that the dashboard may be opened at (spec/operators.md §1.1). */
function adminOrigins({ config }: At, req: IncomingMessage): string[] {
  const base = new URL(config.baseUrl);
  if (!isLoopback(base.hostname)) return [base.origin];
  // With `PORT=0` the one the request came in by.
  const port = base.port === '0' ? (req.socket.localPort ?? '') : base.port;
  const hosts = new Set(['localhost', '127.0.0.1', base.hostname]);
  return [...hosts].map(
    (host) => new URL(`${base.protocol}//${host}:${port}`).origin,
  );
}

/**
 * Whether a write or a handshake comes from the dashboard itself: its Origin,
 * letter by letter. Nothing else will do, `null` and no Origin least of all,
 * unless the browser itself vouches for the same origin.
 */
export function isOwnOrigin(ctx: At, req: IncomingMessage): boolean {
  const { origin } = req.headers;
  const site = req.headers['sec-fetch-site'];
  if (origin === undefined) return site === 'same-origin';
  if (site !== undefined && site !== 'same-origin') return false;
  return adminOrigins(ctx, req).includes(origin);
}

/** Where a passkey of a page belongs: what WebAuthn checks it against. */
export type RelyingParty = { id: string; origin: string };

/**
 * The relying party of the page that asks, or null where no passkey is
 * possible: on an address instead of a name, and without TLS anywhere but on
 * localhost (spec/operators.md §1.1).
 */
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

/**
 * Where a set-up link leads, without a final slash; on a loopback node by the
 * name that can have a passkey. `port` is the one it listens on.
 */
export function setupAddress({ config }: At, port: number): string {
  const base = new URL(config.baseUrl);
  if (isLoopback(base.hostname)) base.hostname = 'localhost';
  if (base.port === '0') base.port = String(port);
  return base.origin;
}
