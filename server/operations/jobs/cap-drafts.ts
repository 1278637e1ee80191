import type { Context } from '../../context.js';
import { DRAFTS_MAX_BYTES, draftBytes } from '../../tickets/storage-limit.js';

const BATCH = 1000;
/** Room is made before there is none, and enough of it to last. */
const BEGIN = 0.9;
const ENOUGH = 0.8;

/**
 * Keeps all drafts together below their cap (spec/board.md §4.8): the oldest
 * that were not published go first. Those that can still be published, and
 * those whose ticket still answers with a receipt, stay; when they alone fill
 * the cap, previews are refused (`draftsFull`).
 */
export async function capDrafts(
  ctx: Pick<Context, 'writes' | 'clock'>,
  goesOn: () => boolean,
  maxBytes: number = DRAFTS_MAX_BYTES,
): Promise<number> {
  const { writes, clock } = ctx;
  const begin = maxBytes * BEGIN;
  let excess = await draftBytes(writes, begin);
  if (excess <= begin) return 0;
  excess = Math.ceil(excess - maxBytes * ENOUGH);
  let total = 0;
  while (excess > 0 && goesOn()) {
    const [row] = await writes.query<{ rows: number; bytes: number }>(
      `WITH oldest AS (
         SELECT ticket_hash, expires_at, pg_column_size(draft) AS bytes
         FROM ticket WHERE used_at IS NULL AND expires_at <= $1
         ORDER BY expires_at LIMIT ${BATCH}
       ), due AS (
         SELECT ticket_hash, sum(bytes) OVER (
           ORDER BY expires_at, ticket_hash) - bytes AS older FROM oldest
       ), gone AS (
         DELETE FROM ticket WHERE used_at IS NULL AND ticket_hash IN (
           SELECT ticket_hash FROM due WHERE older < $2)
         RETURNING pg_column_size(draft) AS bytes)
       SELECT count(*) AS rows, coalesce(sum(bytes), 0)::bigint AS bytes
       FROM gone`,
      [clock.now(), excess],
    );
    const rows = row?.rows ?? 0;
    if (rows === 0) break;
    total += rows;
    excess -= row?.bytes ?? 0;
  }
  return total;
}
