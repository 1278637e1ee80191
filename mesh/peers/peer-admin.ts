import { In } from 'typeorm';
import { openIdentity } from '../../protocol/identity.js';
import { parseJson, readObject } from '../../protocol/json.js';
import { formatVkey, parseVkey } from '../../protocol/vkey.js';
import { Peer } from '../../server/db/entities/peer.js';
import { only } from '../../server/db/sql.js';
import { optionsOf, type PeerAdmin, type PeerDetail } from '../mesh-ports.js';
import { quotasOf } from '../pull/store/peer-rows.js';
import { messagesOf } from '../witness/ask-peer.js';
import { addPeer } from './add-peer.js';
import { waitingAddress } from './adopt-identity.js';
import { askPeer } from './ask-peer.js';
import {
  blockPeer,
  hideMirrored,
  limitPeer,
  pausePeer,
  resumePeer,
  trustPeer,
} from './change-peer.js';
import { confirmPeer } from './confirm-peer.js';
import { forgetPeer } from './forget-peer.js';
import { holdingsOf } from './holdings.js';
import { listedPeers } from './listed-peers.js';
import { peerView, timeText } from './peer-view.js';
import {
  type PeerAdminParts,
  type PeerRow,
  readPeers,
  requirePeer,
} from './peers.sql.js';
import { exportPolicy, importPolicy } from './policy.js';
import { standstillOf } from './standstill.js';

type Shown = Pick<PeerDetail, 'messages' | 'confirmed_us'>;

const UNREAD: Shown = { messages: null, confirmed_us: null };

/** By the newest documents of peers (spec/board.md §16.10). */
async function shownByPeers(
  { db, board, keys }: Pick<PeerAdminParts, 'db' | 'board' | 'keys'>,
  peers: readonly Pick<PeerRow, 'originId'>[],
): Promise<(peer: Pick<PeerRow, 'originId'>) => Shown> {
  const rows = await db.manager.find(Peer, {
    select: { originId: true, document: true },
    where: { originId: In(peers.map(({ originId }) => originId)) },
  });
  const documents = new Map(rows.map((row) => [row.originId, row.document]));
  const own = { name: board.name, logVkey: formatVkey(keys.log.vkey) };
  return ({ originId }) => shownIn(documents.get(originId) ?? null, own);
}

type Own = { name: string; logVkey: string };

function shownIn(document: string | null, own: Own): Shown {
  const mesh = readObject(parseJson(document));
  if (mesh === null) return UNREAD;
  // Under the present key.
  const hasConfirmed = listedPeers(mesh.peers).some(
    ({ name, log_vkey, status }) =>
      name === own.name && log_vkey === own.logVkey && status !== 'pending',
  );
  const isWhole = (mesh.next_before ?? null) === null;
  return {
    messages: messagesOf(mesh.board),
    confirmed_us: hasConfirmed || (isWhole ? false : null),
  };
}

/** In a node or on the command line. */
export function peerAdmin(parts: PeerAdminParts): PeerAdmin {
  const detailed = async (rows: readonly PeerRow[]): Promise<PeerDetail[]> => {
    const shown = await shownByPeers(parts, rows);
    return rows.map((row) => ({ ...peerDetail(row, parts), ...shown(row) }));
  };
  const read = async (board: string): Promise<PeerDetail> =>
    only(await detailed([await requirePeer(parts, board)]));
  const after = async (work: Promise<void>, board: string) => {
    await work;
    return await read(board);
  };
  const admin: PeerAdmin = {
    read,
    list: async () => await detailed(await readPeers(parts.db, parts.keys)),
    add: async (url, options) => await read(await addPeer(parts, url, options)),
    confirm: async (board, logVkey, options) =>
      await read(await confirmPeer(parts, board, logVkey, options)),
    trust: (board, change) => after(trustPeer(parts, board, change), board),
    limits: (board, change) => after(limitPeer(parts, board, change), board),
    pause: (board) => after(pausePeer(parts, board), board),
    resume: (board) => after(resumePeer(parts, board), board),
    block: (board, reason) => after(blockPeer(parts, board, reason), board),
    holdings: async (board) =>
      holdingsOf(parts, await requirePeer(parts, board)),
    forget: (board) => forgetPeer(parts, board),
    hide: (board, id, options) => hideMirrored(parts, board, id, options),
    ask: askPeer(parts),
    exportPolicy: () => exportPolicy(parts),
    importPolicy: (policy, options) =>
      importPolicy(parts, admin, policy, options),
  };
  return admin;
}

/** spec/board.md §14.5 */
function peerDetail(
  row: PeerRow,
  parts: PeerAdminParts,
): Omit<PeerDetail, 'messages' | 'confirmed_us'> {
  const now = parts.clock.now();
  return {
    ...peerView(row, now),
    limits: {
      ...quotasOf(row, parts.limits, now),
      probation_until: timeText(row.probationUntil),
    },
    last_attempt_at: timeText(row.lastAttemptAt),
    retry_at: timeText(row.retryAt),
    status_reason: row.statusReason ?? row.degradedReason,
    standstill: standstillOf(row, now),
    ...optionsOf(row),
    identity: row.identity,
    pending_identity: row.pendingIdentity,
    pending_address: waitingAddress(row),
    pending_identity_signed: isSignedByPinned(row),
  };
}

function isSignedByPinned(row: PeerRow): boolean | null {
  if (row.pendingIdentity === null) return null;
  const pinned = parseVkey(row.logVkey);
  return pinned.ok && openIdentity(row.pendingIdentity, pinned.value).ok;
}
