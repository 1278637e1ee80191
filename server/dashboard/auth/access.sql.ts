// By hand: the hot read of a session, which also notes its use; locks that are
// no row's; aggregates over several tables.
import type { Sql, Tx } from '../../db/sql.js';
import type { SignedIn } from '../session.js';

const SESSION = `SELECT o.id AS "operatorId", o.name, o.alias, o.role,
    s.id AS "sessionId", s.method, s.credential_at AS "credentialAt",
    s.expires_at AS "expiresAt"
  FROM operator_session s JOIN operator o ON o.id = s.operator_id
  WHERE s.expires_at > $2 AND s.seen_at > $2 - $3::bigint
    AND o.state = 'active'`;

/**
 * The live session of a token, and notes that it was used unless that was
 * noted within `noteMs`.
 */
export async function useSession(
  sql: Sql,
  tokenHash: Uint8Array,
  now: number,
  idleMs: number,
  noteMs: number,
): Promise<SignedIn | null> {
  const [row] = await sql.query<SignedIn>(
    `WITH used AS (
       UPDATE operator_session SET seen_at = $2
       WHERE token_hash = $1 AND expires_at > $2
         AND seen_at > $2 - $3::bigint AND seen_at <= $2 - $4::bigint)
     ${SESSION} AND s.token_hash = $1`,
    [tokenHash, now, idleMs, noteMs],
  );
  return row ?? null;
}

/** Which of these sessions are still open. */
export async function openSessionIds(
  sql: Sql,
  sessionIds: readonly string[],
  now: number,
  idleMs: number,
): Promise<Set<string>> {
  const rows = await sql.query<SignedIn>(
    `${SESSION} AND s.id = ANY($1::uuid[])`,
    [sessionIds, now, idleMs],
  );
  return new Set(rows.map(({ sessionId }) => sessionId));
}

type AccountCounts = {
  id: string;
  passkeys: number;
  passphrase: boolean;
  sessions: number;
  last_seen_at: number | null;
};

/** What each account can sign in with, and its open sessions. */
export async function accountCounts(
  sql: Sql,
  now: number,
): Promise<AccountCounts[]> {
  return await sql.query<AccountCounts>(
    `SELECT o.id,
       (SELECT count(*) FROM operator_passkey p
         WHERE p.operator_id = o.id) AS passkeys,
       EXISTS (SELECT FROM operator_passphrase p
         WHERE p.operator_id = o.id) AS passphrase,
       count(s.id) AS sessions, max(s.seen_at) AS last_seen_at
     FROM operator o LEFT JOIN operator_session s
       ON s.operator_id = o.id AND s.expires_at > $1
     GROUP BY o.id`,
    [now],
  );
}

/** Names and aliases are few and change rarely: one change at a time. */
export async function lockOperators(tx: Tx): Promise<void> {
  await tx.query('LOCK TABLE operator IN SHARE ROW EXCLUSIVE MODE');
}

/** One attempt of an account from a network at a time. */
export async function lockAttempts(
  tx: Tx,
  account: number,
  network: number,
): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1, $2)', [account, network]);
}
