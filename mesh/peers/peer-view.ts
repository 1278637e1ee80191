import { z } from 'zod';
import { meshTime } from '../../server/clock.js';
import { isPullable } from '../../server/db/pullable.js';
import { PEER_TRUST } from '../../server/db/states.js';
import { count, sha256Hex, url } from '../../server/http/openapi/common.js';
import { TOP_LEVEL } from '../peer-port.js';
import type { PeerRow } from './peers.sql.js';

/** spec/mesh.md §B8 */
const STATUSES = [
  'pending',
  'active',
  'lagging',
  'unreachable',
  'degraded',
  'paused',
  'quarantined',
  'blocked',
] as const;
const LAG_MS = 60_000;
const FAILURES = 3;
const UNREACHABLE_MS = 3_600_000;

type Facts = Pick<
  PeerRow,
  | 'status'
  | 'degradedUntil'
  | 'lastSuccessAt'
  | 'confirmedAt'
  | 'failures'
  | 'remoteSize'
  | 'remoteSeenAt'
  | 'mirroredSize'
>;

function lagEntries(row: Facts): number {
  return Math.max(0, (row.remoteSize ?? 0) - (row.mirroredSize ?? 0));
}

/** In ms, since the head with the oldest missing entry came. */
export function lagMs(row: Facts, now: number): number {
  if (lagEntries(row) === 0) return 0;
  return Math.max(0, now - (row.remoteSeenAt ?? now));
}

/**
 * blocked > paused > quarantined > degraded > unreachable > lagging > active
 * (spec/mesh.md §B8.3); pending excludes others.
 */
export function statusOf(row: Facts, now: number): (typeof STATUSES)[number] {
  if (!isPullable(row)) return row.status;
  if (row.degradedUntil !== null && row.degradedUntil > now) return 'degraded';
  const answered = row.lastSuccessAt ?? row.confirmedAt ?? now;
  if (row.failures > 0 && now - answered >= UNREACHABLE_MS) {
    return 'unreachable';
  }
  if (row.failures >= FAILURES || lagMs(row, now) > LAG_MS) return 'lagging';
  return 'active';
}

export const meshTimeText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time' });

/** The closed list of spec/mesh.md §B8.3; `http_` with any status. */
const errorCode = z
  .string()
  .regex(
    /^(bad_url|address_refused|unreachable|timeout|redirected|too_large|bad_encoding|http_\d{3}|feed_corrupt|bad_checkpoint|unsupported_protocol|rolled_back|equivocation|unresolved_view|quota)$/,
  );

export const meshPeer = z
  .object({
    name: z.string(),
    origin: z.string(),
    base_url: url,
    log_vkey: z.string(),
    mirror_vkey: z.string(),
    trust: z.enum(PEER_TRUST),
    status: z.enum(STATUSES),
    remote_size: count,
    mirrored_size: count,
    lag_entries: count,
    lag_ms: count.describe('Age of the oldest known unmirrored entry.'),
    apply_ms_p95: z
      .int()
      .nullable()
      .describe('From an entry to its commit here; null before the first.'),
    last_checkpoint: z
      .string()
      .nullable()
      .describe("Log signature and this board's cosignature: the gossip."),
    last_success_at: meshTimeText.nullable(),
    last_error: z.object({ code: errorCode, at: meshTimeText }).nullable(),
    acked_size: count.describe('Their newest cosignature on our log.'),
    invalid_entries: count,
    withheld_contents: count,
    evidence: z.array(sha256Hex),
    status_reason: z
      .string()
      .nullable()
      .describe('Why it is degraded or quarantined; else null.'),
    level: z
      .int()
      .min(0)
      .max(TOP_LEVEL)
      .nullable()
      .describe('As its own document states; null where it states none.'),
  })
  .describe('A board that this one mirrors.');

/** Keys in the order of spec/mesh.md §B6. */
export function peerView(row: PeerRow, now: number): z.infer<typeof meshPeer> {
  const { lastErrorCode: code, lastErrorAt: at } = row;
  return {
    name: row.name,
    origin: row.origin,
    base_url: row.baseUrl,
    log_vkey: row.logVkey,
    mirror_vkey: row.mirrorVkey,
    trust: row.trust,
    status: statusOf(row, now),
    remote_size: row.remoteSize ?? 0,
    mirrored_size: row.mirroredSize ?? 0,
    lag_entries: lagEntries(row),
    lag_ms: lagMs(row, now),
    apply_ms_p95: p95(row.applyMs),
    last_checkpoint: row.lastCheckpoint,
    last_success_at: timeText(row.lastSuccessAt),
    last_error:
      code === null || at === null ? null : { code, at: meshTime(at) },
    acked_size: row.ackedSize,
    invalid_entries: row.invalidEntries,
    withheld_contents: row.withheldContents,
    evidence: row.evidence,
    status_reason: reasonOf(row, now),
    level: row.level,
  };
}

/** spec/mesh.md §B8.3 */
export function reasonOf(
  row: Omit<PeerRow, 'lastCheckpoint' | 'evidence'>,
  now: number,
): string | null {
  const status = statusOf(row, now);
  if (status === 'degraded') return row.degradedReason;
  return status === 'quarantined' ? row.statusReason : null;
}

export function timeText(at: number | null): string | null {
  return at === null ? null : meshTime(at);
}

/** Nearest rank, in ms; null without values. */
function p95(times: readonly number[]): number | null {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
}
