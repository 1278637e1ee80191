// By hand: the hot read of a session, advisory locks, and aggregates.
import { In, MoreThan } from 'typeorm';
import type { Operator } from '../../db/entities/operator.js';
import { OperatorSession } from '../../db/entities/operator-session.js';
import type { Sql, Tx } from '../../db/sql.js';
import type { SignedIn } from '../session.js';
import { IDLE_MS } from '../session-store.js';

/** A session's use is noted once a minute. */
const NOTED_MS = 60_000;

/** Also notes its use. */
export async function useSession(
  sql: Sql,
  tokenHash: Uint8Array,
  now: number,
): Promise<SignedIn | null> {
  const [row] = await sql.query<SignedIn>(
    `WITH used AS (
       UPDATE operator_session SET seen_at = $2
       WHERE token_hash = $1 AND expires_at > $2
         AND seen_at > $2 - ${IDLE_MS}::bigint AND seen_at <= $2 - ${NOTED_MS}::bigint)
     SELECT o.id AS "operatorId", o.name, o.alias, o.role,
       s.id AS "sessionId", s.method, s.credential_at AS "credentialAt",
       s.expires_at AS "expiresAt"
     FROM operator_session s JOIN operator o ON o.id = s.operator_id
     WHERE s.token_hash = $1 AND s.expires_at > $2 AND o.state = 'active'
       AND s.seen_at > $2 - ${IDLE_MS}::bigint`,
    [tokenHash, now],
  );
  return row ?? null;
}

/** Hex; those that still open a session. */
export async function openTokens(
  { manager }: Sql,
  tokens: readonly string[],
  now: number,
): Promise<Set<string>> {
  const sessions = await manager.find(OperatorSession, {
    select: { id: true, tokenHash: true },
    where: {
      tokenHash: In(tokens.map((token) => Buffer.from(token, 'hex'))),
      expiresAt: MoreThan(now),
      seenAt: MoreThan(now - IDLE_MS),
      operator: { state: 'active' },
    },
  });
  return new Set(sessions.map(({ tokenHash }) => tokenHash.toString('hex')));
}

type AccountRow = Omit<Operator, 'createdAt'> & {
  created_at: number;
  passkeys: number;
  passphrase: boolean;
  sessions: number;
  last_seen_at: number | null;
};

export async function accountRows(
  sql: Sql,
  now: number,
): Promise<AccountRow[]> {
  return await sql.query<AccountRow>(
    `SELECT o.id, o.name, o.alias, o.role, o.state, o.created_at,
       (SELECT count(*) FROM operator_passkey p
         WHERE p.operator_id = o.id) AS passkeys,
       EXISTS (SELECT FROM operator_passphrase p
         WHERE p.operator_id = o.id) AS passphrase,
       count(s.id) AS sessions, max(s.seen_at) AS last_seen_at
     FROM operator o LEFT JOIN operator_session s
       ON s.operator_id = o.id AND s.expires_at > $1
     GROUP BY o.id ORDER BY o.name`,
    [now],
  );
}

/** One change of names and aliases at a time. */
export async function lockOperators(tx: Tx): Promise<void> {
  await tx.query('LOCK TABLE operator IN SHARE ROW EXCLUSIVE MODE');
}

/**
 * Per network and quarter of an hour.
 * @returns its number; null after `most`
 */
export async function countAttempt(
  sql: Sql,
  network: Buffer,
  quarter: number,
  most: number,
): Promise<number | null> {
  const [row] = await sql.query<{ attempts: number }>(
    `INSERT INTO operator_attempt_count AS c (network, quarter, attempts)
     VALUES ($1, $2, 1)
     ON CONFLICT (network, quarter) DO UPDATE SET attempts = c.attempts + 1
       WHERE c.attempts < $3::int
     RETURNING attempts`,
    [network, quarter, most],
  );
  return row?.attempts ?? null;
}

/** One attempt of an account from a network at a time. */
export async function lockAttempts(
  tx: Tx,
  account: number,
  network: number,
): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1, $2)', [account, network]);
}
