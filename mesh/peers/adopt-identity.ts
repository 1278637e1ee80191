import { parseLogOrigin } from '../../protocol/board-name.js';
import { type OpenedIdentity, openIdentity } from '../../protocol/identity.js';
import { parseVkey } from '../../protocol/vkey.js';
import { nextId } from '../../server/db/next-id.js';
import type { Database, Tx } from '../../server/db/sql.js';
import { openMirror } from './open-mirror.js';
import type { PinnedPeer } from './peer-row.js';

/** What became of an identity that a peer shows. */
export type Notice = 'known' | 'adopted' | 'waiting' | 'refused';

/**
 * Looks at the identity a peer shows now. A change needs a higher `seq` and
 * the pinned log key's signature; a changed host, or a new generation of the
 * log, also the operator (mesh.md B1).
 */
export async function noticeIdentity(
  db: Database,
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
  if (sameLog && hostOf(identity.url) === hostOf(peer.base_url)) {
    await db.transaction((tx) => adoptIdentity(tx, peer, identity, note, now));
    return 'adopted';
  }
  await db.query('UPDATE peer SET pending_identity = $2 WHERE origin_id = $1', [
    peer.origin_id,
    note,
  ]);
  return 'waiting';
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

function hostOf(url: string): string {
  return new URL(url).hostname;
}

/**
 * Makes a verified identity the pinned one. Of a new generation the mirror
 * starts anew under an origin id of its own; the former log is not pulled any
 * more, and stays readable beside the new one and below `/mirror`.
 */
export async function adoptIdentity(
  tx: Tx,
  peer: PinnedPeer,
  identity: OpenedIdentity,
  note: string,
  now: number,
): Promise<void> {
  const sameLog = identity.origin === peer.origin;
  const originId = sameLog ? peer.origin_id : await nextId(tx, 'log_origin');
  await tx.query(
    `UPDATE peer SET identity = $2, identity_seq = $3, base_url = $4,
       mirror_vkey = $5, node_vkey = $6, pending_identity = NULL
     WHERE origin_id = $1 AND (identity_seq < $3 OR $7)`,
    [
      peer.origin_id,
      note,
      identity.seq,
      identity.url,
      identity.mirror,
      identity.node,
      // The numbers of a log that was lost may have begun anew.
      !sameLog,
    ],
  );
  if (sameLog) return;
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
}
