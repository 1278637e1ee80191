// By hand: a cosignature wakes the pull, or is signed only where no other
// process has passed it, in one statement.

import { In, IsNull, Like, Not, Or } from 'typeorm';
import { notify } from '../../server/db/connection.sql.js';
import type { LogCosignature } from '../../server/db/entities/log.js';
import { Peer } from '../../server/db/entities/peer.js';
import { pullableSql } from '../../server/db/pullable.js';
import type { Sql } from '../../server/db/sql.js';
import type { DurablePage } from '../pull/hooks.js';

/** Notifies the process that pulls the peer. */
export async function endBackOff(sql: Sql, originId: number): Promise<void> {
  await sql.manager.update(Peer, { originId }, { retryAt: null, failures: 0 });
  await notify(sql, 'board_peers', `${originId}`);
}

/** The log has grown. A 5xx, perhaps of a proxy, was no answer either. */
export async function endSilence(sql: Sql, originId: number): Promise<void> {
  const unanswered = Or(In(['unreachable', 'timeout']), Like('http_5%'));
  const ended = await sql.manager.update(
    Peer,
    { originId, retryAt: Not(IsNull()), lastErrorCode: unanswered },
    { retryAt: null },
  );
  if (ended.affected === 1) await notify(sql, 'board_peers', `${originId}`);
}

/** A new one proves that the peer is up, so it is pulled again. */
export async function storeCosignature(
  sql: Sql,
  { originId, size, cosigner, vkey, line, at }: LogCosignature,
  peerId: number,
): Promise<void> {
  await sql.query(
    `WITH kept AS (
       INSERT INTO log_cosignature (origin_id, size, cosigner, vkey, line, at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (origin_id, size, cosigner) DO NOTHING
     ), news AS (
       SELECT origin_id, retry_at FROM peer
       WHERE origin_id = $7 AND acked_size < $2 FOR UPDATE
     ), acked AS (
       UPDATE peer p SET acked_size = $2, acked_at = $6,
         retry_at = CASE WHEN p.last_error_code = 'quota' THEN p.retry_at END
       FROM news WHERE p.origin_id = news.origin_id
     )
     SELECT pg_notify('board_peers', origin_id::text) FROM news
     WHERE retry_at IS NOT NULL`,
    [originId, size, cosigner, vkey, line, at, peerId],
  );
}

/** False when another state was signed or the peer is not active. */
export async function recordDurable(
  sql: Sql,
  { originId, size, root, checkpoint }: DurablePage,
  now: number,
): Promise<boolean> {
  const [state] = await sql.query<{ root: Buffer }>(
    `INSERT INTO mirror_state AS m (origin_id, size, root, note, at)
     SELECT origin_id, $2, $3, $4, $5 FROM peer
     WHERE origin_id = $1 AND ${pullableSql('peer')}
     ON CONFLICT (origin_id) DO UPDATE
       SET size = $2, root = $3, note = $4, at = $5
       WHERE m.size < $2 OR (m.size = $2 AND m.root = $3)
     RETURNING root`,
    [originId, size, Buffer.from(root), checkpoint, now],
  );
  return state?.root.equals(root) ?? false;
}
