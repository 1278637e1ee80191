import type { PeerDesk, PeerDetail } from '../mesh-ports.js';
import { addPeer } from './add-peer.js';
import { hideMirrored, limitPeer, trustPeer } from './change-peer.js';
import { confirmPeer } from './confirm-peer.js';
import { type DeskParts, ownMirrorVkey, requirePeer } from './desk-parts.js';
import { peerDetail } from './peer-detail.js';
import { readPeers } from './peer-row.js';
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
