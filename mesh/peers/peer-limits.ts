import type { Limits } from '../../server/limits.js';
import type { PeerRow } from './peer-row.js';

/** A new peer's share of the daily quotas (spec/mesh.md §B8). */
const PROBATION_SHARE = 0.1;

type Quotas = Pick<
  PeerRow,
  | 'entries_day'
  | 'content_bytes_day'
  | 'backfill_bytes_hour'
  | 'probation_until'
>;

export type PeerLimits = {
  entriesDay: number;
  contentBytesDay: number;
  backfillBytesHour: number;
};

/** What may be taken from a peer now: its own quotas or the board's. */
export function limitsOf(
  peer: Quotas,
  limits: Limits,
  now: number,
): PeerLimits {
  const probation = peer.probation_until !== null && now < peer.probation_until;
  const daily = (quota: number) =>
    probation ? Math.floor(quota * PROBATION_SHARE) : quota;
  return {
    entriesDay: daily(peer.entries_day ?? limits.mesh_peer_entries_day),
    contentBytesDay: daily(
      peer.content_bytes_day ?? limits.mesh_peer_content_bytes_day,
    ),
    backfillBytesHour:
      peer.backfill_bytes_hour ?? limits.mesh_backfill_bytes_per_peer_hour,
  };
}
