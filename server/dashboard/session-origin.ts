import type { IncomingMessage } from 'node:http';
import type { Context } from '../context.js';

type At = Pick<Context, 'config'>;

const IPV4 = /^[0-9.]+$/;

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || /^127\.[0-9.]+$/.test(hostname);
}

/** The port of BASE_URL, or with `PORT=0` the one the request came in by. */
function portOf(base: URL, req: IncomingMessage): string {
  return base.port === '0' ? String(req.socket.localPort ?? '') : base.port;
}

/** The origins that the dashboard may be opened at (spec/operators.md §1.1). */
export function adminOrigins({ config }: At, req: IncomingMessage): string[] {
  const base = new URL(config.baseUrl);
  if (!isLoopback(base.hostname)) return [base.origin];
  const port = portOf(base, req);
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
 * name that can hold a passkey. `port` is the one it listens on.
 */
export function setupAddress({ config }: At, port: number): string {
  const base = new URL(config.baseUrl);
  if (isLoopback(base.hostname)) base.hostname = 'localhost';
  if (base.port === '0') base.port = String(port);
  return base.origin;
}
