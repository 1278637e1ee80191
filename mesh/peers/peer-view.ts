import { meshTime } from '../mesh-time.js';
import type { MeshPeer } from './answers.js';
import type { PeerRow } from './peer-row.js';
import { lagEntries, lagMs, statusOf } from './peer-status.js';

/**
 * A peer as `GET /api/mesh` shows it, its keys in the order of spec/mesh.md
 * §B6.
 */
export function peerView(row: PeerRow, now: number): MeshPeer {
  const { last_error_code: code, last_error_at: at } = row;
  return {
    name: row.name,
    origin: row.origin,
    base_url: row.base_url,
    log_vkey: row.log_vkey,
    mirror_vkey: row.mirror_vkey,
    trust: row.trust,
    status: statusOf(row, now),
    remote_size: row.remote_size ?? 0,
    mirrored_size: row.mirrored_size ?? 0,
    lag_entries: lagEntries(row),
    lag_ms: lagMs(row, now),
    apply_ms_p95: p95(row.apply_ms),
    last_checkpoint: row.last_checkpoint,
    last_success_at: time(row.last_success_at),
    last_error:
      code === null || at === null ? null : { code, at: meshTime(at) },
    acked_size: row.acked_size,
    invalid_entries: row.invalid_entries,
    withheld_contents: row.withheld_contents,
    evidence: row.evidence,
  };
}

function time(at: number | null): string | null {
  return at === null ? null : meshTime(at);
}

/** The nearest-rank 95th percentile in ms; null before anything was applied. */
function p95(times: readonly number[]): number | null {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
}
