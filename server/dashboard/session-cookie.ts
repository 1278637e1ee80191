import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '../context.js';

type At = Pick<Context, 'config'>;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const PLAIN_NAME = 'reserve-operator';

/**
 * `__Host-…` where there is TLS. Without, a plain name, and the port with it:
 * browsers share the cookies of localhost among all its ports.
 */
export function cookieName({ config }: At): string {
  const base = new URL(config.baseUrl);
  if (base.protocol === 'https:') return `__Host-${PLAIN_NAME}`;
  return base.port === '' ? PLAIN_NAME : `${PLAIN_NAME}-${base.port}`;
}

/** 256 random bits as they stand in the cookie. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database keeps of a token or a code. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/**
 * The hash of the session token in a Cookie header; null for none, and for two,
 * because only a stranger to this board can have added the other.
 */
export function sessionHash(
  ctx: At,
  header: string | undefined,
): Buffer | null {
  const name = cookieName(ctx);
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [token = ''] = values;
  return values.length === 1 && TOKEN.test(token) ? tokenHash(token) : null;
}

/** The Set-Cookie line of a session; `seconds` 0 takes it back. */
export function sessionCookie(ctx: At, token: string, seconds: number): string {
  const name = cookieName(ctx);
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  return `${name}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
