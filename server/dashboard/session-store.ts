import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { Context } from '../context.js';
import type { Sql, Tx } from '../db/sql.js';
import { ABSOLUTE_MS, type SignedIn } from './session.js';
import {
  newToken,
  sessionCookie,
  sessionHash,
  tokenHash,
} from './session-cookie.js';

/** A cookie's token with the session that it opens. */
export type OpenedSession = {
  token: string;
  sessionId: string;
  expiresAt: number;
};

type NewSession = {
  operatorId: string;
  method: SignedIn['method'];
  /** What the list of devices shows. */
  label: string;
};

/**
 * Opens a session under an identifier that nobody knew before. The one that
 * the request came with ends: signing in never goes on with another's.
 */
export async function openSession(
  tx: Tx,
  ctx: Pick<Context, 'config'>,
  req: Pick<IncomingMessage, 'headers'>,
  { operatorId, method, label }: NewSession,
  now: number,
): Promise<OpenedSession> {
  await tx.query('DELETE FROM operator_session WHERE token_hash = $1', [
    sessionHash(ctx, req.headers.cookie),
  ]);
  const token = newToken();
  const sessionId = randomUUID();
  const expiresAt = now + ABSOLUTE_MS;
  await tx.query(
    `INSERT INTO operator_session (id, token_hash, operator_id, label, method,
       created_at, seen_at, expires_at, credential_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $6)`,
    [sessionId, tokenHash(token), operatorId, label, method, now, expiresAt],
  );
  return { token, sessionId, expiresAt };
}

/**
 * A step-up: the credential is fresh, the identifier new, and the old one
 * opens nothing any more. The end of the session stays where it was.
 */
export async function renewSession(
  tx: Tx,
  { sessionId, expiresAt }: SignedIn,
  method: SignedIn['method'],
  now: number,
): Promise<OpenedSession | null> {
  const token = newToken();
  const rows = await tx.query(
    `UPDATE operator_session
     SET token_hash = $2, method = $3, seen_at = $4, credential_at = $4
     WHERE id = $1 RETURNING 1`,
    [sessionId, tokenHash(token), method, now],
  );
  // It may have been ended from another device a moment ago.
  return rows.length === 1 ? { token, sessionId, expiresAt } : null;
}

/** Ends sessions of one operator: one device, or all but one, or all. */
export async function endSessions(
  sql: Sql,
  operatorId: string,
  which: { only?: string; but?: string } = {},
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `DELETE FROM operator_session WHERE operator_id = $1
       AND ($2::uuid IS NULL OR id = $2) AND ($3::uuid IS NULL OR id <> $3)
     RETURNING id`,
    [operatorId, which.only ?? null, which.but ?? null],
  );
  return rows.map(({ id }) => id);
}

export function setSessionCookie(
  ctx: Pick<Context, 'config' | 'clock'>,
  res: Response,
  { token, expiresAt }: OpenedSession,
): void {
  const seconds = Math.floor((expiresAt - ctx.clock.now()) / 1000);
  res.setHeader('Set-Cookie', sessionCookie(ctx, token, seconds));
}

export function clearSessionCookie(
  ctx: Pick<Context, 'config'>,
  res: Response,
): void {
  res.setHeader('Set-Cookie', sessionCookie(ctx, '', 0));
}
