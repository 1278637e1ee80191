import type { PeerRow } from './peer-row.js';

/** Every status a peer can be shown with (spec/mesh.md §B8). */
export const STATUSES = [
  'pending',
  'active',
  'lagging',
  'unreachable',
  'degraded',
  'paused',
  'quarantined',
  'blocked',
] as const;
export type PeerStatus = (typeof STATUSES)[number];

const LAG_MS = 60_000;
const FAILURES = 3;
const UNREACHABLE_MS = 3_600_000;

type Facts = Pick<
  PeerRow,
  | 'status'
  | 'degraded_until'
  | 'last_success_at'
  | 'confirmed_at'
  | 'failures'
  | 'remote_size'
  | 'remote_seen_at'
  | 'mirrored_size'
>;

export function lagEntries(row: Facts): number {
  return Math.max(0, (row.remote_size ?? 0) - (row.mirrored_size ?? 0));
}

/**
 * Age in ms of the oldest known entry that is not mirrored yet: it was there
 * when the head that showed it came.
 */
export function lagMs(row: Facts, now: number): number {
  if (lagEntries(row) === 0) return 0;
  return Math.max(0, now - (row.remote_seen_at ?? now));
}

/**
 * blocked > paused > quarantined > degraded > unreachable > lagging > active
 * (spec/mesh.md §B13); a pending peer is nothing else yet.
 */
export function statusOf(row: Facts, now: number): PeerStatus {
  if (row.status !== 'active') return row.status;
  if (row.degraded_until !== null && row.degraded_until > now) {
    return 'degraded';
  }
  const heard = row.last_success_at ?? row.confirmed_at ?? now;
  if (row.failures > 0 && now - heard >= UNREACHABLE_MS) return 'unreachable';
  if (row.failures >= FAILURES || lagMs(row, now) > LAG_MS) return 'lagging';
  return 'active';
}
