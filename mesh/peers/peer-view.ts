import { meshTime } from '../../server/clock.js';
import { isPullable } from '../../server/db/pullable.js';
import type { MeshPeer } from './answers.js';
import type { PeerRow } from './peers.sql.js';

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
export function statusOf(row: Facts, now: number): MeshPeer['status'] {
  if (!isPullable(row)) return row.status;
  if (row.degradedUntil !== null && row.degradedUntil > now) return 'degraded';
  const answered = row.lastSuccessAt ?? row.confirmedAt ?? now;
  if (row.failures > 0 && now - answered >= UNREACHABLE_MS) {
    return 'unreachable';
  }
  if (row.failures >= FAILURES || lagMs(row, now) > LAG_MS) return 'lagging';
  return 'active';
}

/** Keys in the order of spec/mesh.md §B6. */
export function peerView(row: PeerRow, now: number): MeshPeer {
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
