import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { MoreThan, Not } from 'typeorm';
import type { Context } from '../context.js';
import type { Operator } from '../db/entities/operator.js';
import {
  OperatorDevice,
  OperatorSession,
} from '../db/entities/operator-session.js';
import type { Sql, Tx } from '../db/sql.js';
import { endClaims } from '../moderation/index.js';
import type { SignedIn } from './session.js';

type At = Pick<Context, 'config'>;

/** After the last request. */
export const IDLE_MS = 12 * 60 * 60_000;
/** After the sign-in (spec/operators.md §1.2). */
const ABSOLUTE_MS = 7 * 24 * 60 * 60_000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const PLAIN_NAMES = {
  operator: 'reserve-operator',
  device: 'reserve-device',
} as const;

type Cookie = keyof typeof PLAIN_NAMES;

/** Without TLS with the port: ports of localhost share cookies. */
export function cookieName({ config }: At, which: Cookie): string {
  const plain = PLAIN_NAMES[which];
  const base = new URL(config.baseUrl);
  if (base.protocol === 'https:') return `__Host-${plain}`;
  return base.port === '' ? plain : `${plain}-${base.port}`;
}

/** 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Stored in place of a token or code. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** Null for none or two: only a stranger can have added the other. */
export function cookieHash(
  ctx: At,
  which: Cookie,
  header: string | undefined,
): Buffer | null {
  const name = cookieName(ctx, which);
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [token = ''] = values;
  return values.length === 1 && TOKEN.test(token) ? tokenHash(token) : null;
}

/** `seconds` 0 deletes it. */
export function cookieLine(
  ctx: At,
  which: Cookie,
  token: string,
  seconds: number,
): string {
  const name = cookieName(ctx, which);
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  return `${name}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

type OpenedSession = SignedIn & { token: string };

type NewSession = {
  account: Pick<Operator, 'id' | 'name' | 'alias' | 'role'>;
  method: SignedIn['method'];
  label: string;
};

/** A new identifier; the request's former session ends. */
export async function openSession(
  tx: Tx,
  ctx: At,
  req: Pick<IncomingMessage, 'headers'>,
  { account, method, label }: NewSession,
  now: number,
): Promise<OpenedSession> {
  const token = newToken();
  const sessionId = randomUUID();
  const { id: operatorId, name, alias, role } = account;
  const times = { expiresAt: now + ABSOLUTE_MS, credentialAt: now };
  await tx.manager.insert(OperatorSession, {
    id: sessionId,
    tokenHash: tokenHash(token),
    operatorId,
    label,
    method,
    createdAt: now,
    seenAt: now,
    ...times,
  });
  const old = cookieHash(ctx, 'operator', req.headers.cookie);
  const former =
    old && (await tx.manager.findOneBy(OperatorSession, { tokenHash: old }));
  if (former) {
    // It may be another operator's.
    await endSessions(tx, former.operatorId, now, { only: former.id });
  }
  return { token, operatorId, name, alias, role, sessionId, method, ...times };
}

/** A new identifier and fresh credential; the end of the session stays. */
export async function renewSession(
  { manager }: Tx,
  session: SignedIn,
  method: SignedIn['method'],
  now: number,
): Promise<OpenedSession | null> {
  const token = newToken();
  const { affected } = await manager.update(
    OperatorSession,
    { id: session.sessionId },
    { tokenHash: tokenHash(token), method, seenAt: now, credentialAt: now },
  );
  // It may have been ended from another device.
  return affected === 1
    ? { ...session, token, method, credentialAt: now }
    : null;
}

type Which = { only?: string; but?: string };

const idOf = ({ only, but }: Which) =>
  only ?? (but === undefined ? undefined : Not(but));

/** They have to sign in like a stranger's (spec/board.md §16.5). */
export async function forgetDevices(
  { manager }: Sql,
  operatorId: string,
  sessions: Which = {},
): Promise<void> {
  const sessionId = idOf(sessions);
  await manager.delete(OperatorDevice, {
    operatorId,
    ...(sessionId === undefined ? {} : { sessionId }),
  });
}

/** With the last one end the operator's claims. */
export async function endSessions(
  tx: Tx,
  operatorId: string,
  now: number,
  sessions: Which = {},
): Promise<string[]> {
  const { manager } = tx;
  const which = idOf(sessions);
  const { raw } = await manager
    .createQueryBuilder()
    .delete()
    .from(OperatorSession)
    .where({ operatorId, ...(which === undefined ? {} : { id: which }) })
    .returning('id')
    .execute();
  const open = { expiresAt: MoreThan(now), seenAt: MoreThan(now - IDLE_MS) };
  if (!(await manager.existsBy(OperatorSession, { operatorId, ...open }))) {
    await endClaims(tx, { operatorId }, now);
  }
  return (raw as { id: string }[]).map(({ id }) => id);
}

export function setSessionCookie(
  ctx: At & Pick<Context, 'clock'>,
  res: Response,
  { token, expiresAt }: OpenedSession,
): void {
  const seconds = Math.floor((expiresAt - ctx.clock.now()) / 1000);
  res.setHeader('Set-Cookie', cookieLine(ctx, 'operator', token, seconds));
}

export function clearSessionCookie(ctx: At, res: Response): void {
  res.setHeader('Set-Cookie', cookieLine(ctx, 'operator', '', 0));
}

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Firefox on Linux`: no more is stored. */
export function deviceLabel(req: IncomingMessage): string {
  const agent = req.headers['user-agent'] ?? '';
  const among = (list: readonly [RegExp, string][]) =>
    list.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = among(BROWSERS) ?? 'A program';
  const system = among(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}
