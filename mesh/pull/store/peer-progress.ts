import type { Sql, Tx } from '../../../server/db/sql.js';

const DEGRADED_MS = 86_400_000;
/** More invalid entries than this degrade a peer (spec/mesh.md §B7). */
const INVALID_MAX = 10;
const SAMPLES = 200;

/** Why a peer is shown as degraded (spec/mesh.md §B8). */
export type Degradation =
  | 'invalid_entries'
  | 'withheld_content'
  | 'clock_skew'
  | 'quota'
  | 'feed_corrupt';

export type PageSuccess = {
  originId: number;
  /** The page came from the origin itself, not from a mirror of it. */
  fromOrigin: boolean;
  from: number;
  /** The head that was shown with the page. */
  head: { size: number; note: string };
  invalid: number;
  skewed: boolean;
  /** Milliseconds from entries' `at` to our commit, of a live page. */
  applyMs: readonly number[];
  now: number;
};

/**
 * What a good page says of its peer: heard, no error any more, and what it
 * takes to be degraded. `remote_seen_at` is when the oldest entry that is not
 * mirrored yet was heard of.
 */
export async function notePage(sql: Sql, page: PageSuccess): Promise<void> {
  const { head, now } = page;
  await sql.query(
    `UPDATE peer p SET
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
     WHERE origin_id = $1`,
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

/** Shows a peer as degraded for a day from now. */
export async function degrade(
  sql: Sql | Tx,
  originId: number,
  reason: Degradation,
  now: number,
): Promise<void> {
  await sql.query(
    `UPDATE peer SET degraded_until = $3, degraded_reason = $2
     WHERE origin_id = $1`,
    [originId, reason, now + DEGRADED_MS],
  );
}

/** A round that failed: the next one is at `retryAt` (spec/mesh.md §B7). */
export async function noteFailure(
  sql: Sql,
  originId: number,
  failure: { code: string; now: number; retryAt: number },
): Promise<void> {
  await sql.query(
    `UPDATE peer SET failures = failures + 1, last_attempt_at = $3,
       last_error_code = $2, last_error_at = $3, retry_at = $4,
       rolled_back_since = CASE WHEN $2 = 'rolled_back'
         THEN coalesce(rolled_back_since, $3::bigint) END
     WHERE origin_id = $1`,
    [originId, failure.code, failure.now, failure.retryAt],
  );
}
