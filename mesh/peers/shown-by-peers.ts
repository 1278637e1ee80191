import { In } from 'typeorm';
import {
  parseJson,
  readCount,
  readObject,
  readString,
} from '../../protocol/json.js';
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
  { db, board }: Pick<PeerAdminParts, 'db' | 'board'>,
  peers: readonly Pick<PeerRow, 'originId'>[],
): Promise<(peer: Pick<PeerRow, 'originId'>) => Shown> {
  const rows = await db.manager.find(Peer, {
    select: { originId: true, document: true },
    where: { originId: In(peers.map(({ originId }) => originId)) },
  });
  const documents = new Map(rows.map((row) => [row.originId, row.document]));
  return ({ originId }) => shownIn(documents.get(originId) ?? null, board.name);
}

function shownIn(document: string | null, ownName: string): Shown {
  const mesh = readObject(parseJson(document));
  if (mesh === null) return UNREAD;
  const messages = readObject(readObject(mesh.board)?.messages);
  const signed = readCount(messages?.signed);
  const guest = readCount(messages?.guest);
  return {
    messages: signed === null || guest === null ? null : { signed, guest },
    confirmed_us: hasConfirmed(mesh.peers, ownName),
  };
}

function hasConfirmed(peers: unknown, ownName: string): boolean {
  if (!Array.isArray(peers)) return false;
  return peers.some((listed) => {
    const peer = readObject(listed);
    const isPending = readString(peer?.status) === 'pending';
    return readString(peer?.name) === ownName && !isPending;
  });
}
