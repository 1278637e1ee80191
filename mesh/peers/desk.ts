import { openIdentity } from '../../protocol/identity.js';
import { parseVkey } from '../../protocol/vkey.js';
import type { Limits } from '../../server/limits.js';
import type { PeerDesk, PeerDetail } from '../mesh-ports.js';
import { meshTime } from '../mesh-time.js';
import { addPeer } from './add-peer.js';
import { hideMirrored, limitPeer, trustPeer } from './change-peer.js';
import { confirmPeer } from './confirm-peer.js';
import { type DeskParts, ownMirrorVkey, requirePeer } from './desk-parts.js';
import { waitingAddress } from './moved.js';
import { type PeerRow, readPeers } from './peer-row.js';
import { peerView } from './peer-view.js';
import { exportPolicy, importPolicy } from './policy.js';
import { blockPeer, pausePeer, resumePeer } from './stop-peer.js';

/** The operators' desk for peers, of a running node or of the command line. */
export function peerDesk(parts: DeskParts): PeerDesk {
  const read = async (board: string): Promise<PeerDetail> =>
    peerDetail(await requirePeer(parts, board), parts);
  return {
    read,
    list: async () => {
      const rows = await readPeers(parts.db, ownMirrorVkey(parts));
      return rows.map((row) => peerDetail(row, parts));
    },
    add: async (url, options) => await read(await addPeer(parts, url, options)),
    confirm: async (board, logVkey, options) => {
      return await read(await confirmPeer(parts, board, logVkey, options));
    },
    trust: async (board, change) => {
      await trustPeer(parts, board, change);
      return await read(board);
    },
    limits: async (board, change) => {
      await limitPeer(parts, board, change);
      return await read(board);
    },
    pause: async (board) => {
      await pausePeer(parts, board);
      return await read(board);
    },
    resume: async (board) => {
      await resumePeer(parts, board);
      return await read(board);
    },
    block: async (board, reason) => {
      await blockPeer(parts, board, reason);
      return await read(board);
    },
    hide: (board, id, options) => hideMirrored(parts, board, id, options),
    exportPolicy: () => exportPolicy(parts),
    importPolicy: (policy, options) => importPolicy(parts, policy, options),
  };
}

/** A peer as operators see it (spec/mesh.md §B13, Shapes). */
function peerDetail(
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

/** A new peer's share of the daily quotas (spec/mesh.md §B8). */
const PROBATION_SHARE = 0.1;

type Quotas = Pick<
  PeerRow,
  | 'entries_day'
  | 'content_bytes_day'
  | 'backfill_bytes_hour'
  | 'probation_until'
>;

type PeerLimits = {
  entriesDay: number;
  contentBytesDay: number;
  backfillBytesHour: number;
};

/** What may be taken from a peer now: its own quotas or the board's. */
function limitsOf(peer: Quotas, limits: Limits, now: number): PeerLimits {
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
