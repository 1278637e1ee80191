import { Not } from 'typeorm';
import { addressOf } from '../../protocol/address.js';
import { parseLogOrigin } from '../../protocol/board-name.js';
import {
  type Identity,
  type OpenedIdentity,
  openIdentity,
} from '../../protocol/identity.js';
import { parseVkey } from '../../protocol/vkey.js';
import type { Clock } from '../../server/clock.js';
import { Peer } from '../../server/db/entities/peer.js';
import { nextId } from '../../server/db/next-id.sql.js';
import type { Database, Tx } from '../../server/db/sql.js';
import type { Logger } from '../../server/logger.js';
import { lockPeer, openMirror, type PeerColumns } from './peers.sql.js';
import { updatePeers } from './update-peers.js';

type Notice = 'known' | 'adopted' | 'waiting' | 'refused';

/**
 * Needs a higher `seq` and the pinned log key; other addresses and generations
 * need the operator (spec/mesh.md §B1). The newest waits. Locks the peer's row.
 */
export async function noticeIdentity(
  tx: Tx,
  peer: PeerColumns,
  note: string,
  now: number,
): Promise<Notice> {
  if (note === peer.identity || note === peer.pendingIdentity) return 'known';
  const pinned = parseVkey(peer.logVkey);
  const opened = pinned.ok ? openIdentity(note, pinned.value) : pinned;
  if (!opened.ok || opened.value.name !== peer.name) return 'refused';
  const identity = opened.value;
  if (identity.seq <= peer.identitySeq) return 'refused';
  const sameLog = identity.origin === peer.origin;
  if (sameLog && identity.log !== peer.logVkey) return 'refused';
  if (!sameLog && !isLaterLog(identity.origin, peer.origin)) return 'refused';
  const waiting = waitingIdentity(peer);
  const isNewest = waiting === null || isNewer(identity, waiting);
  if (sameLog && addressOf(identity.url) === addressOf(peer.baseUrl)) {
    await adoptIdentity(tx, peer, identity, note, now);
    if (!isNewest) await keepWaiting(tx, peer, peer.pendingIdentity);
    return 'adopted';
  }
  if (!isNewest) return 'known';
  await keepWaiting(tx, peer, note);
  return 'waiting';
}

/** For the operator; null: none. */
export function waitingIdentity({
  pendingIdentity: note,
}: Pick<PeerColumns, 'pendingIdentity'>): OpenedIdentity | null {
  const opened = note === null ? null : openIdentity(note);
  return opened?.ok ? opened.value : null;
}

type Waiting = Pick<PeerColumns, 'name' | 'baseUrl' | 'pendingIdentity'>;

/** Null: the address stays. */
export function waitingAddress(peer: Waiting): string | null {
  const waiting = waitingIdentity(peer);
  const address = waiting === null ? null : addressOf(waiting.url);
  return address === addressOf(peer.baseUrl) ? null : address;
}

/** For the operator; null where no address waits. */
export function movedText(peer: Waiting): string | null {
  const address = waitingAddress(peer);
  if (address === null) return null;
  const { name, baseUrl: old } = peer;
  const key = waitingIdentity(peer)?.log ?? '';
  return `${name} shows another address: ${address} instead of ${old}. Nothing is asked there, and pulling goes on at the old one, until an operator confirms it. Ask its operators whether it has moved, then confirm it on the page "Mesh" or with: reserve-board peer confirm ${name} '${key}' --address ${address}`;
}

export async function keepWaiting(
  tx: Tx,
  { originId }: PeerColumns,
  note: string | null,
): Promise<void> {
  await tx.manager.update(Peer, { originId }, { pendingIdentity: note });
}

/** Of the same board. */
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
 * Pins it unless a higher `seq` is pinned. Another address is tried at once; a
 * new generation gets its own origin id, and the former log stays readable,
 * also under `/mirror`.
 */
export async function adoptIdentity(
  tx: Tx,
  { originId, origin }: PeerColumns,
  identity: OpenedIdentity,
  note: string,
  now: number,
): Promise<boolean> {
  const sameLog = identity.origin === origin;
  const newId = sameLog ? originId : await nextId(tx, 'log_origin');
  const { affected } = await tx.manager
    .createQueryBuilder()
    .update(Peer)
    .set({
      identity: note,
      identitySeq: identity.seq,
      baseUrl: addressOf(identity.url) ?? identity.url,
      mirrorVkey: identity.mirror,
      nodeVkey: identity.node,
      pendingIdentity: null,
      failures: () => 'CASE WHEN base_url = :address THEN failures ELSE 0 END',
      retryAt: () => 'CASE WHEN base_url = :address THEN retry_at END',
    })
    .setParameter('address', addressOf(identity.url))
    // A lost log's numbers may begin again.
    .where(`origin_id = :originId${sameLog ? ' AND identity_seq < :seq' : ''}`)
    .setParameters({ originId, seq: identity.seq })
    .execute();
  if (affected === 0) return false;
  if (sameLog) return true;
  await updatePeers(
    tx,
    { originId },
    {
      originId: newId,
      origin: identity.origin,
      logVkey: identity.log,
      status: 'active',
      statusReason: null,
      statusAt: now,
      invalidEntries: 0,
      withheldContents: 0,
      failures: 0,
      retryAt: null,
      degradedUntil: null,
      rolledBackSince: null,
      unresolvedSince: null,
      remoteSize: null,
      remoteCheckpoint: null,
      anchoredSize: 0,
    },
  );
  await openMirror(tx, newId);
  return true;
}

/** From `/api/mesh` or the log. */
export async function noticeShownIdentity(
  { writes, clock, log }: { writes: Database; clock: Clock; log: Logger },
  originId: number,
  note: string | null,
): Promise<void> {
  if (note === null) return;
  await writes.transaction(async (tx) => {
    const peer = await lockPeer(tx, { originId, status: Not('blocked') });
    if (peer === null) return;
    const notice = await noticeIdentity(tx, peer, note, clock.now());
    if (notice === 'known' || notice === 'refused') return;
    // One log line, however many identities wait in turn.
    if (notice === 'waiting' && peer.pendingIdentity !== null) return;
    log.info({ peer: peer.name, notice }, "a peer's identity has changed");
  });
}
