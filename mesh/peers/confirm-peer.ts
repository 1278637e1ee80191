import { addressOf, boardAddress } from '../../protocol/address.js';
import { ForgottenPeer } from '../../server/db/entities/forgotten-peer.js';
import { Evidence } from '../../server/db/entities/mirror.js';
import type { Tx } from '../../server/db/sql.js';
import { invalid } from '../../server/errors.js';
import type { ConfirmOptions } from '../mesh-ports.js';
import {
  adoptIdentity,
  isLaterLog,
  waitingAddress,
  waitingIdentity,
} from './adopt-identity.js';
import {
  fetchIdentity,
  type Introduced,
  ONLY_PUBLIC,
} from './fetch-identity.js';
import {
  conflict,
  openMirror,
  type PeerAdminParts,
  type PeerRow,
  requirePeer,
} from './peers.sql.js';
import { updatePeers } from './update-peers.js';

const PROBATION_MS = 7 * 86_400_000;

/**
 * Pending peers become active, with a tenth of the daily quotas for a week;
 * known ones accept an address or generation (spec/mesh.md §B1, §B8). Refuses
 * if `address`, as the operator saw it, changed. Returns the board name.
 */
export async function confirmPeer(
  parts: PeerAdminParts,
  board: string,
  logVkey: string,
  { address }: ConfirmOptions = {},
): Promise<string> {
  const peer = await requirePeer(parts, board);
  const shown = waitingAddress(peer) ?? peer.baseUrl;
  if (address !== undefined && boardAddress(address) !== shown) {
    throw invalid(
      'address',
      `The address to confirm is ${shown}; ask the operators of the board whether it is theirs, then confirm exactly that one.`,
    );
  }
  const { db, clock } = parts;
  if (peer.status === 'pending') {
    if (logVkey !== peer.logVkey) throw otherKey(peer.logVkey);
    await db.transaction((tx) =>
      confirmPending(tx, peer.originId, clock.now()),
    );
  } else await confirmChange(parts, peer, logVkey);
  return peer.name; // its address may be another one now
}

/** @throws BoardError `decision_conflict` when it is not pending any more. */
export async function confirmPending(
  tx: Tx,
  originId: number,
  now: number,
): Promise<void> {
  const confirmed = await updatePeers(
    tx,
    { originId, status: 'pending' },
    {
      status: 'active',
      statusAt: now,
      statusReason: null,
      confirmedAt: now,
      probationUntil: now + PROBATION_MS,
    },
  );
  const [peer] = confirmed;
  if (peer === undefined) throw conflict('The peer is not pending.');
  await openMirror(tx, originId);
  const { origin } = peer;
  // Evidence outlives a forgotten peer.
  const proven = await tx.manager.existsBy(Evidence, { origin });
  const before = await tx.manager.findOneBy(ForgottenPeer, { origin });
  const reason = proven ? 'equivocation' : before?.quarantine;
  if (!reason) return;
  const stopped = { status: 'quarantined', statusReason: reason } as const;
  await updatePeers(tx, { originId }, { ...stopped, statusAt: now });
}

async function confirmChange(
  parts: PeerAdminParts,
  peer: PeerRow,
  logVkey: string,
): Promise<void> {
  const { identity, note } = await identityOfKey(parts, peer, logVkey);
  const { db, clock, client } = parts;
  const address = addressOf(identity.url);
  const isOther = address !== null && address !== addressOf(peer.baseUrl);
  if (isOther && !client.mayAsk(address)) {
    throw invalid(
      'address',
      `This node never asks ${address} (${ONLY_PUBLIC}); nothing was changed.`,
    );
  }
  const adopted = await db.transaction((tx) =>
    adoptIdentity(tx, peer, identity, note, clock.now()),
  );
  if (adopted) return;
  throw conflict(`${peer.name} has shown a newer identity; look at it again.`);
}

/** A waiting one, else the board's present one (spec/board.md §16.25). */
async function identityOfKey(
  { client }: PeerAdminParts,
  peer: PeerRow,
  logVkey: string,
): Promise<Pick<Introduced, 'identity' | 'note'>> {
  const waiting = waitingIdentity(peer);
  const note = peer.pendingIdentity;
  if (note !== null && waiting?.log === logVkey) {
    return { identity: waiting, note };
  }
  if (logVkey === peer.logVkey || peer.status === 'blocked') {
    if (waiting !== null) throw otherKey(waiting.log);
    throw conflict(`${peer.name} is confirmed already (${peer.status}).`);
  }
  const shown = await fetchIdentity(client, peer.baseUrl);
  const { name, origin, log } = shown.identity;
  if (log !== logVkey) throw otherKey(log);
  if (name === peer.name && isLaterLog(origin, peer.origin)) return shown;
  throw conflict(
    `${peer.baseUrl} shows ${origin}, which is no later generation of ${peer.origin}; nothing was changed.`,
  );
}

function otherKey(shown: string) {
  return invalid(
    'log_vkey',
    `The board shows the log key ${shown}; confirm exactly that one, after comparing it with its operator.`,
  );
}
