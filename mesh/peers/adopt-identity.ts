import { addressOf } from '../../protocol/address.js';
import { parseLogOrigin } from '../../protocol/board-name.js';
import {
  type Identity,
  type OpenedIdentity,
  openIdentity,
} from '../../protocol/identity.js';
import { parseVkey } from '../../protocol/vkey.js';
import { nextId } from '../../server/db/next-id.js';
import type { Tx } from '../../server/db/sql.js';
import { openMirror } from './open-mirror.js';
import type { PinnedPeer } from './peer-row.js';

/** What became of an identity that a peer shows. */
export type Notice = 'known' | 'adopted' | 'waiting' | 'refused';

/**
 * Looks at an identity that a peer shows. A change needs a higher `seq` and
 * the pinned log key's signature; another scheme, host or port, or a new
 * generation of the log, also the operator (spec/mesh.md §B1). Of several that
 * wait the newest does, in any order of arrival. The peer's row is locked.
 */
export async function noticeIdentity(
  tx: Tx,
  peer: PinnedPeer,
  note: string,
  now: number,
): Promise<Notice> {
  if (note === peer.identity || note === peer.pending_identity) return 'known';
  const pinned = parseVkey(peer.log_vkey);
  const opened = pinned.ok ? openIdentity(note, pinned.value) : pinned;
  if (!opened.ok || opened.value.name !== peer.name) return 'refused';
  const identity = opened.value;
  if (identity.seq <= peer.identity_seq) return 'refused';
  const sameLog = identity.origin === peer.origin;
  if (sameLog && identity.log !== peer.log_vkey) return 'refused';
  if (!sameLog && !isLaterLog(identity.origin, peer.origin)) return 'refused';
  const waiting = waitingIdentity(peer);
  const isNewest = waiting === null || isNewer(identity, waiting);
  if (sameLog && addressOf(identity.url) === addressOf(peer.base_url)) {
    await adoptIdentity(tx, peer, identity, note, now);
    if (!isNewest) await keepWaiting(tx, peer, peer.pending_identity);
    return 'adopted';
  }
  if (!isNewest) return 'known';
  await keepWaiting(tx, peer, note);
  return 'waiting';
}

/** The identity of a peer that waits for the operator; null for none. */
export function waitingIdentity({
  pending_identity: note,
}: Pick<PinnedPeer, 'pending_identity'>): OpenedIdentity | null {
  const opened = note === null ? null : openIdentity(note);
  return opened?.ok ? opened.value : null;
}

export async function keepWaiting(
  tx: Tx,
  peer: PinnedPeer,
  note: string | null,
): Promise<void> {
  await tx.query('UPDATE peer SET pending_identity = $2 WHERE origin_id = $1', [
    peer.origin_id,
    note,
  ]);
}

/** Whether a log is a later generation of the same board's. */
export function isLaterLog(origin: string, than: string): boolean {
  const [later, before] = [parseLogOrigin(origin), parseLogOrigin(than)];
  return (
    later !== null &&
    later.name === before?.name &&
    later.generation > before.generation
  );
}

function isNewer(identity: Identity, than: Identity): boolean {
  return identity.origin === than.origin
    ? identity.seq > than.seq
    : isLaterLog(identity.origin, than.origin);
}

/**
 * Makes a verified identity the pinned one, unless one with a higher `seq` is.
 * Another address is tried at once. Of a new generation the mirror starts again
 * under an origin id of its own; the former log is not pulled any more, and
 * stays readable beside the new one and below `/mirror`.
 */
export async function adoptIdentity(
  tx: Tx,
  peer: PinnedPeer,
  identity: OpenedIdentity,
  note: string,
  now: number,
): Promise<boolean> {
  const sameLog = identity.origin === peer.origin;
  const originId = sameLog ? peer.origin_id : await nextId(tx, 'log_origin');
  const adopted = await tx.query(
    `UPDATE peer SET identity = $2, identity_seq = $3, base_url = $4,
       mirror_vkey = $5, node_vkey = $6, pending_identity = NULL,
       failures = CASE WHEN base_url = $4 THEN failures ELSE 0 END,
       retry_at = CASE WHEN base_url = $4 THEN retry_at END
     WHERE origin_id = $1 AND (identity_seq < $3 OR $7)
     RETURNING origin_id`,
    [
      peer.origin_id,
      note,
      identity.seq,
      addressOf(identity.url),
      identity.mirror,
      identity.node,
      // The numbers of a log that was lost may have begun anew.
      !sameLog,
    ],
  );
  if (adopted.length === 0) return false;
  if (sameLog) return true;
  await tx.query(
    `UPDATE peer SET origin_id = $2, origin = $3, log_vkey = $4,
       status = 'active', status_reason = NULL, status_at = $5,
       invalid_entries = 0, withheld_contents = 0, failures = 0,
       retry_at = NULL, degraded_until = NULL, rolled_back_since = NULL,
       unresolved_since = NULL, remote_size = NULL, remote_checkpoint = NULL,
       anchored_size = 0
     WHERE origin_id = $1`,
    [peer.origin_id, originId, identity.origin, identity.log, now],
  );
  await openMirror(tx, originId);
  return true;
}
