import { In } from 'typeorm';
import {
  parseJson,
  readCount,
  readObject,
  readString,
} from '../../protocol/json.js';
import { formatVkey } from '../../protocol/vkey.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { PeerDetail } from '../mesh-ports.js';
import type { PeerAdminParts, PeerRow } from './peers.sql.js';

/** What a peer's board says of itself and of this one; advisory. */
type Shown = Pick<PeerDetail, 'messages' | 'confirmed_us'>;

const UNREAD: Shown = { messages: null, confirmed_us: null };

/**
 * What the newest mesh document of each peer says: how many texts linking it
 * would keep, and whether its operators have confirmed this board
 * (spec/board.md §16.10).
 */
export async function shownByPeers(
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
  const messages = readObject(readObject(mesh.board)?.messages);
  const signed = readCount(messages?.signed);
  const guest = readCount(messages?.guest);
  return {
    messages: signed === null || guest === null ? null : { signed, guest },
    confirmed_us: hasConfirmed(mesh.peers, own),
  };
}

/** Under the key of now: one that a new generation left behind counts no more. */
function hasConfirmed(peers: unknown, { name, logVkey }: Own): boolean {
  if (!Array.isArray(peers)) return false;
  return peers.some((listed) => {
    const peer = readObject(listed);
    const isPending = readString(peer?.status) === 'pending';
    const isOurs = readString(peer?.log_vkey) === logVkey;
    return readString(peer?.name) === name && isOurs && !isPending;
  });
}
