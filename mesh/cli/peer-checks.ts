import { timeOf } from '../../server/cli/doctor/age.js';
import { type Check, ok, warn } from '../../server/cli/doctor/check.js';
import type { Database } from '../../server/db/sql.js';
import type { BoardKeys } from '../../server/ledger/board-keys.js';
import { statusOf } from '../peers/peer-view.js';
import { readPeers } from '../peers/peers.sql.js';
import { standstillOf } from '../peers/standstill.js';

type Peer = Awaited<ReturnType<typeof readPeers>>[number];

export async function peerChecks(
  db: Database,
  keys: BoardKeys,
): Promise<Check[]> {
  const peers = await readPeers(db, keys);
  return peers.map((peer) => peerCheck(peer, Date.now()));
}

function peerCheck(peer: Peer, now: number): Check {
  const name = 'peer';
  const status = statusOf(peer, now);
  const answered =
    peer.lastSuccessAt === null
      ? 'never answered'
      : `answered ${timeOf(Math.max(0, now - peer.lastSuccessAt))} ago`;
  const detail = `${peer.name} is ${status}, ${answered}`;
  const standstill = standstillOf(peer, now);
  if (standstill !== null) {
    const { detail: why, next } = standstill;
    return warn(name, `${why}, ${answered}`, next);
  }
  if (status === 'active' && (peer.ackedSize ?? 0) === 0) {
    return warn(
      name,
      `${detail}, and has signed none of our log`,
      'ask its operators to add and confirm this board',
    );
  }
  return ok(name, detail);
}
