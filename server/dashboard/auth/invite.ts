import type { Context } from '../../context.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import type { Role } from '../roles.js';
import { newToken, tokenHash } from '../session-cookie.js';
import { setupAddress } from '../session-origin.js';

/** How long a set-up link works, in ms (spec/operators.md §1.1). */
export const INVITE_MS = 60 * 60_000;

export type Invite = {
  /** Null for the first operator, who chooses one. */
  name: string | null;
  role: Role;
  expires_at: number;
};

/**
 * Makes a code, in place of an unused one for the same name. Without a name it
 * is the first operator's, and works only while there is none.
 */
export async function createInvite(
  tx: Tx,
  name: string | null,
  role: Role,
  now: number,
): Promise<string> {
  const code = newToken();
  await tx.query(
    'DELETE FROM operator_invite WHERE name = $1 AND used_at IS NULL',
    [name],
  );
  await tx.query(
    `INSERT INTO operator_invite (code_hash, name, role, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5)`,
    [tokenHash(code), name, role, now, now + INVITE_MS],
  );
  return code;
}

/** The invitation of a code that still works. */
export async function lookUpInvite(
  sql: Sql,
  code: string,
  now: number,
): Promise<Invite> {
  const [invite] = await sql.query<Invite>(
    `SELECT i.name, i.role, i.expires_at FROM operator_invite i
     WHERE i.code_hash = $1 AND i.used_at IS NULL AND i.expires_at > $2
       AND (i.name IS NOT NULL OR NOT EXISTS (SELECT FROM operator))`,
    [tokenHash(code), now],
  );
  if (invite === undefined) throw gone();
  return invite;
}

/** Uses a code up, in the transaction that makes the account. */
export async function useInvite(
  tx: Tx,
  code: string,
  now: number,
): Promise<Invite> {
  const [invite] = await tx.query<Invite>(
    `UPDATE operator_invite i SET used_at = $2
     WHERE i.code_hash = $1 AND i.used_at IS NULL AND i.expires_at > $2
     RETURNING i.name, i.role, i.expires_at`,
    [tokenHash(code), now],
  );
  if (invite === undefined) throw gone();
  if (invite.name === null) {
    // Two first links at once would make two first operators.
    await tx.query('LOCK TABLE operator IN SHARE ROW EXCLUSIVE MODE');
    const [someone] = await tx.query('SELECT 1 FROM operator LIMIT 1');
    if (someone !== undefined) throw gone();
  }
  return invite;
}

function gone(): BoardError {
  return new BoardError(
    'not_found',
    'This set-up link was used, is older than an hour, or never was one; ask for another with "reserve-board operator invite".',
  );
}

/** The link; its code stays in the browser, servers never see a fragment. */
export function setupLink(
  ctx: Pick<Context, 'config'>,
  code: string,
  port: number,
): string {
  return `${setupAddress(ctx, port)}/admin/setup#${code}`;
}
