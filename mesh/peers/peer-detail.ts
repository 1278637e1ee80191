import { openIdentity } from '../../protocol/identity.js';
import { parseVkey } from '../../protocol/vkey.js';
import type { PeerDetail } from '../mesh-ports.js';
import { meshTime } from '../mesh-time.js';
import type { DeskParts } from './desk-parts.js';
import { waitingAddress } from './moved.js';
import { limitsOf } from './peer-limits.js';
import type { PeerRow } from './peer-row.js';
import { peerView } from './peer-view.js';

/** A peer as operators see it (spec/mesh.md §B13, Shapes). */
export function peerDetail(
  row: PeerRow,
  { limits, clock }: Pick<DeskParts, 'limits' | 'clock'>,
): PeerDetail {
  const now = clock.now();
  const quotas = limitsOf(row, limits, now);
  return {
    ...peerView(row, now),
    limits: {
      entries_day: quotas.entriesDay,
      content_bytes_day: quotas.contentBytesDay,
      backfill_bytes_hour: quotas.backfillBytesHour,
      probation_until: time(row.probation_until),
    },
    last_attempt_at: time(row.last_attempt_at),
    retry_at: time(row.retry_at),
    status_reason: row.status_reason ?? row.degraded_reason,
    content: row.content,
    decisions: row.decisions,
    identity: row.identity,
    pending_identity: row.pending_identity,
    pending_address: waitingAddress(row),
    pending_identity_signed: isSignedByPinned(row),
  };
}

/** Whether the log key that was confirmed signed the identity that waits. */
function isSignedByPinned(row: PeerRow): boolean | null {
  if (row.pending_identity === null) return null;
  const pinned = parseVkey(row.log_vkey);
  return pinned.ok && openIdentity(row.pending_identity, pinned.value).ok;
}

function time(at: number | null): string | null {
  return at === null ? null : meshTime(at);
}
