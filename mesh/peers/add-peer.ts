import { addressOf } from '../../protocol/address.js';
import type { Identity } from '../../protocol/identity.js';
import type { ForgottenPeer } from '../../server/db/entities/forgotten-peer.js';
import { lockNamed } from '../../server/db/named-lock.sql.js';
import { nextId } from '../../server/db/next-id.sql.js';
import type { Tx } from '../../server/db/sql.js';
import { invalid } from '../../server/errors.js';
import { type AddOptions, optionsOf } from '../mesh-ports.js';
import {
  adoptIdentity,
  isLaterLog,
  keepWaiting,
  noticeIdentity,
} from './adopt-identity.js';
import { confirmPending } from './confirm-peer.js';
import { fetchIdentity, type Introduced } from './fetch-identity.js';
import { rememberedLog } from './forget-peer.js';
import {
  conflict,
  lockPeer,
  type PeerAdminParts,
  type PeerColumns,
} from './peers.sql.js';
import { insertPeer } from './update-peers.js';

/**
 * Only the identity is fetched before an operator confirms the log vkey
 * (spec/mesh.md §B8). For a known peer: a later generation or another address.
 * Returns the board name.
 */
export async function addPeer(
  parts: PeerAdminParts,
  url: string,
  options: AddOptions = {},
): Promise<string> {
  const { confirm, ...chosen } = options;
  const introduced = await fetchIdentity(parts.client, url);
  const { identity, note, document, level } = introduced;
  const { db, clock, board } = parts;
  if (identity.name === board.name || identity.origin === board.origin) {
    throw invalid('url', 'This is the board itself; a peer is another one.');
  }
  if (confirm !== undefined && confirm !== identity.log) {
    throw invalid(
      'confirm',
      `The board shows the log key ${identity.log}, not the one to confirm; nothing was added.`,
    );
  }
  const now = clock.now();
  await db.transaction(async (tx) => {
    await lockNamed(tx, 'peer added');
    const known = await lockPeer(tx, [
      { name: identity.name },
      { origin: identity.origin },
    ]);
    if (known !== null) {
      await addChange(tx, known, introduced, options, now);
      return;
    }
    const before = await rememberedLog(tx, identity.name);
    if (before !== null && isOtherKey(before, identity)) {
      if (confirm === undefined) throw otherKey(before, identity);
    }
    const originId = await nextId(tx, 'log_origin');
    await insertPeer(tx, {
      originId,
      name: identity.name,
      origin: identity.origin,
      baseUrl: addressOf(identity.url) ?? identity.url,
      logVkey: identity.log,
      mirrorVkey: identity.mirror,
      nodeVkey: identity.node,
      identity: note,
      identitySeq: identity.seq,
      document,
      level,
      documentAt: now,
      addedAt: now,
      status: 'pending',
      statusAt: now,
      ...optionsOf(chosen),
    });
    if (confirm !== undefined) await confirmPending(tx, originId, now);
  });
  return identity.name;
}

/** The operator decides (spec/mesh.md §B1). */
async function addChange(
  tx: Tx,
  known: PeerColumns,
  { identity, note }: Introduced,
  options: AddOptions,
  now: number,
): Promise<void> {
  const { confirm } = options;
  const { name, status } = known;
  if (status === 'blocked') throw isPeer(known);
  const isShown =
    known.logVkey === identity.log &&
    addressOf(known.baseUrl) === addressOf(identity.url);
  if (isShown && status === 'pending') {
    assertSame(known, options);
    if (confirm !== undefined) await confirmPending(tx, known.originId, now);
    return;
  }
  if (status === 'pending') throw isPeer(known);
  if (isLaterLog(identity.origin, known.origin)) {
    await keepWaiting(tx, known, note);
  } else {
    const notice = await noticeIdentity(tx, known, note, now);
    if (notice === 'adopted') return;
    const waits = notice === 'waiting' || note === known.pendingIdentity;
    if (!waits && !isShown) throw isPeer(known);
    if (!waits) {
      assertSame(known, options);
      return;
    }
  }
  if (confirm === undefined) return;
  if (await adoptIdentity(tx, known, identity, note, now)) return;
  throw conflict(`${name} shows an older identity than the one in use.`);
}

/** Than the one confirmed before, of the same log. */
function isOtherKey(
  { origin, logVkey }: ForgottenPeer,
  identity: Identity,
): boolean {
  return !isLaterLog(identity.origin, origin) && identity.log !== logVkey;
}

function otherKey({ logVkey }: ForgottenPeer, { name, log }: Identity) {
  return conflict(
    `${name} was a peer before, under the log key ${logVkey}, and shows ${log} now, NOT the key you confirmed: compare the new key with its operators. If it is theirs, add the peer with that key: --confirm '${log}'.`,
  );
}

/** Nothing to do, unless options differ. */
function assertSame(known: PeerColumns, { trust, content }: AddOptions): void {
  const wanted = [
    trust === undefined || trust === known.trust ? '' : ` ${trust}`,
    content === undefined || content === known.content
      ? ''
      : ` --content ${content}`,
  ].join('');
  if (wanted === '') return;
  throw conflict(
    `${known.name} is a peer already (${known.status}); to change what is kept of it, run "reserve-board peer trust ${known.name}${wanted}".`,
  );
}

function isPeer({ name, status }: PeerColumns) {
  const then =
    status === 'blocked'
      ? '"reserve-board peer resume" ends that'
      : 'it shows another key or address now, so forget it and add it again after comparing its key with its operators';
  return conflict(`${name} is a peer already (${status}); ${then}.`);
}
