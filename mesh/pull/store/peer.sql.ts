// By hand (M1): session locks, and statements of every page.
import type pg from 'pg';
import { eventRows } from '../../../server/db/note-event.js';
import { pullableSql } from '../../../server/db/pullable.js';
import type { Sql, Tx } from '../../../server/db/sql.js';

export const DEGRADED_MS = 86_400_000;
/** More degrade a peer (spec/mesh.md §B7). */
const INVALID_MAX = 10;
const SAMPLES = 200;

/** First half of the lock's key; the origin id is the second. */
const WORKER = 730_521_815;

export async function tryWorkerLock(
  session: pg.Client,
  originId: number,
): Promise<boolean> {
  const { rows } = await session.query<{ taken: boolean }>(
    'SELECT pg_try_advisory_lock($1, $2) AS taken',
    [WORKER, originId],
  );
  return rows[0]?.taken === true;
}

export async function releaseWorkerLock(
  session: pg.Client,
  originId: number,
): Promise<void> {
  await session.query('SELECT pg_advisory_unlock($1, $2)', [WORKER, originId]);
}

/** Before all other locks, until the commit; whether it is active. */
export async function lockPeerRow(
  { query }: Tx,
  originId: number,
): Promise<boolean> {
  const [peer] = await query<{ active: boolean }>(
    `SELECT ${pullableSql('p')} AS active FROM peer p WHERE origin_id = $1
     FOR NO KEY UPDATE`,
    [originId],
  );
  return peer?.active === true;
}

export type PageSuccess = {
  originId: number;
  /** False: from a mirror. */
  fromOrigin: boolean;
  from: number;
  /** Shown with the page. */
  head: { size: number; note: string };
  invalid: number;
  skewed: boolean;
  /** In ms, from `at` to the commit, of a live page. */
  applyMs: readonly number[];
  now: number;
};

const EVENTS = eventRows(
  'peer',
  { name: 'name', status: 'status', error: 'last_error_code' },
  'changed WHERE is_other',
);

/**
 * A good page: last success, no error, degradation; changes are events, as in
 * `updatePeers`. `remote_seen_at`: when the oldest missing entry was announced.
 */
export async function notePage(sql: Sql, page: PageSuccess): Promise<void> {
  const { head, now } = page;
  await sql.query(
    `WITH former AS MATERIALIZED (
       SELECT origin_id AS id, degraded_until AS until, last_error_code AS error
       FROM peer WHERE origin_id = $1 FOR NO KEY UPDATE
     ), changed AS (
       UPDATE peer SET
         last_attempt_at = $3::bigint,
         last_success_at = CASE WHEN $2 THEN $3::bigint ELSE last_success_at END,
         failures = CASE WHEN $2 THEN 0 ELSE failures END,
         retry_at = CASE WHEN $2 THEN NULL ELSE retry_at END,
         last_error_code = CASE WHEN $2 THEN NULL ELSE last_error_code END,
         last_error_at = CASE WHEN $2 THEN NULL ELSE last_error_at END,
         rolled_back_since = CASE WHEN $2 THEN NULL ELSE rolled_back_since END,
         unresolved_since = CASE WHEN $2 THEN NULL ELSE unresolved_since END,
         remote_seen_at = CASE WHEN coalesce(remote_size, 0) <= $4::bigint
           THEN $3::bigint ELSE remote_seen_at END,
         remote_checkpoint = CASE WHEN coalesce(remote_size, 0) <= $5::bigint
           THEN $6 ELSE remote_checkpoint END,
         remote_size = greatest(remote_size, $5::bigint),
         invalid_entries = invalid_entries + $7::integer,
         degraded_until = CASE WHEN $8::boolean OR ($7::integer > 0
           AND invalid_entries + $7::integer > ${INVALID_MAX})
           THEN $3::bigint + ${DEGRADED_MS} ELSE degraded_until END,
         degraded_reason = CASE
           WHEN $7::integer > 0 AND invalid_entries + $7::integer > ${INVALID_MAX}
           THEN 'invalid_entries' WHEN $8::boolean THEN 'clock_skew'
           ELSE degraded_reason END,
         apply_ms = (apply_ms || $9::integer[])[greatest(1,
           cardinality(apply_ms) + cardinality($9::integer[])
             - ${SAMPLES - 1}):]
       FROM former WHERE origin_id = id
       RETURNING name, status, last_error_code,
         (until, error) IS DISTINCT FROM (degraded_until, last_error_code)
           AS is_other
     )
     INSERT INTO admin_pending (kind, payload) ${EVENTS}`,
    [
      page.originId,
      page.fromOrigin,
      now,
      page.from,
      head.size,
      head.note,
      page.invalid,
      page.skewed,
      page.applyMs,
    ],
  );
}

/** spec/mesh.md §B11: entries older than a day are backfill. */
export type Usage = {
  entries: number;
  contentBytes: number;
  backfillBytes: number;
};

/** Of the last day; backfill of the hour. */
export async function readUsage(
  { query }: Sql,
  originId: number,
  hour: number,
): Promise<Usage> {
  const [row] = await query<Usage>(
    `SELECT coalesce(sum(entries), 0)::bigint AS entries,
       coalesce(sum(content_bytes), 0)::bigint AS "contentBytes",
       coalesce(sum(backfill_bytes) FILTER (WHERE hour = $2), 0)::bigint
         AS "backfillBytes"
     FROM peer_usage WHERE origin_id = $1 AND hour > $2::bigint - 24`,
    [originId, hour],
  );
  return row ?? { entries: 0, contentBytes: 0, backfillBytes: 0 };
}

/** Also drops hours that no quota reads. */
export async function addUsage(
  tx: Tx,
  originId: number,
  { entries, contentBytes, backfillBytes }: Usage,
  hour: number,
): Promise<void> {
  await tx.query(
    `WITH old AS (
       DELETE FROM peer_usage WHERE origin_id = $1 AND hour < $2::bigint - 48
     )
     INSERT INTO peer_usage AS u (origin_id, hour, entries, content_bytes,
       backfill_bytes)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (origin_id, hour) DO UPDATE SET
       entries = u.entries + excluded.entries,
       content_bytes = u.content_bytes + excluded.content_bytes,
       backfill_bytes = u.backfill_bytes + excluded.backfill_bytes`,
    [originId, hour, entries, contentBytes, backfillBytes],
  );
}
