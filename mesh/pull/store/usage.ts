import { utf8 } from '../../../protocol/bytes.js';
import type { Content } from '../../../protocol/content.js';
import type { Sql, Tx } from '../../../server/db/sql.js';
import type { Limits } from '../../../server/limits.js';
import type { ParsedLeaf } from '../fetch/parse-page.js';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/**
 * What a page costs (spec/mesh.md §B11): what is older than a day is backfill.
 */
export type Usage = {
  entries: number;
  contentBytes: number;
  backfillBytes: number;
};

export type Quotas = Usage;

type PeerQuotas = {
  entries_day: number | null;
  content_bytes_day: number | null;
  backfill_bytes_hour: number | null;
  probation_until: number | null;
};

/** The operator's limits or the board's; on probation a tenth of the day's. */
export function quotasOf(
  peer: PeerQuotas,
  limits: Limits,
  now: number,
): Quotas {
  const share = (peer.probation_until ?? 0) > now ? 0.1 : 1;
  const entries = peer.entries_day ?? limits.mesh_peer_entries_day;
  const bytes = peer.content_bytes_day ?? limits.mesh_peer_content_bytes_day;
  return {
    entries: Math.floor(entries * share),
    contentBytes: Math.floor(bytes * share),
    backfillBytes:
      peer.backfill_bytes_hour ?? limits.mesh_backfill_bytes_per_peer_hour,
  };
}

function contentSize(content: Content): number {
  const { name, title = '', body, poll } = content;
  return utf8(name + title + body + (poll ? JSON.stringify(poll) : '')).length;
}

export function costOf(leaves: readonly ParsedLeaf[], now: number): Usage {
  const usage = { entries: 0, contentBytes: 0, backfillBytes: 0 };
  for (const { leaf, content, head } of leaves) {
    const text =
      content === undefined || content === null || content === 'bad'
        ? 0
        : contentSize(content);
    if ((head?.at ?? 0) > now - DAY_MS) {
      usage.entries += 1;
      usage.contentBytes += text;
    } else usage.backfillBytes += text + leaf.length;
  }
  return usage;
}

/** What was taken within the last day, and of backfill within the hour. */
export async function readUsage(
  sql: Sql,
  originId: number,
  now: number,
): Promise<Usage> {
  const hour = Math.floor(now / HOUR_MS);
  const [row] = await sql.query<Usage>(
    `SELECT coalesce(sum(entries), 0)::bigint AS entries,
       coalesce(sum(content_bytes), 0)::bigint AS "contentBytes",
       coalesce(sum(backfill_bytes) FILTER (WHERE hour = $2), 0)::bigint
         AS "backfillBytes"
     FROM peer_usage WHERE origin_id = $1 AND hour > $2::bigint - 24`,
    [originId, hour],
  );
  return row ?? { entries: 0, contentBytes: 0, backfillBytes: 0 };
}

/**
 * How many entries of a page still fit; less than `asked` where a quota ends.
 */
export function roomFor(
  used: Usage,
  cost: Usage,
  quotas: Quotas,
  asked: number,
): number {
  if (used.backfillBytes + cost.backfillBytes > quotas.backfillBytes) return 0;
  if (used.contentBytes + cost.contentBytes > quotas.contentBytes) return 0;
  if (used.entries + cost.entries <= quotas.entries) return asked;
  return Math.max(0, quotas.entries - used.entries);
}

/** When the next quota opens: at the full hour. */
export function nextHour(now: number): number {
  return (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
}

/** Counts what a page took; hours that no quota sees any more go. */
export async function addUsage(
  tx: Tx,
  originId: number,
  { entries, contentBytes, backfillBytes }: Usage,
  now: number,
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
    [originId, Math.floor(now / HOUR_MS), entries, contentBytes, backfillBytes],
  );
}
