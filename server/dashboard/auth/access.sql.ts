// By hand: the hot read of a session, a lock of a table, and a bounded upsert.
import { In, MoreThan } from 'typeorm';
import { Operator } from '../../db/entities/operator.js';
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
  { manager }: Sql,
  now: number,
): Promise<AccountRow[]> {
  return await manager
    .createQueryBuilder(Operator, 'o')
    .leftJoin(
      OperatorSession,
      's',
      's.operatorId = o.id AND s.expiresAt > :now',
      { now },
    )
    .select(['o.id AS id', 'o.name AS name', 'o.alias AS alias'])
    .addSelect(['o.role AS role', 'o.state AS state'])
    .addSelect('o.createdAt', 'created_at')
    .addSelect(
      `(SELECT count(*) FROM operator_passkey p
      WHERE p.operator_id = o.id)`,
      'passkeys',
    )
    .addSelect(
      `EXISTS (SELECT FROM operator_passphrase p
      WHERE p.operator_id = o.id)`,
      'passphrase',
    )
    .addSelect(['count(s.id) AS sessions', 'max(s.seenAt) AS last_seen_at'])
    .groupBy('o.id')
    .orderBy('o.name')
    .getRawMany<AccountRow>();
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
