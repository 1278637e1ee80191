import {
  type FindOptionsWhere,
  In,
  type QueryDeepPartialEntity,
} from 'typeorm';
import { Peer } from '../../server/db/entities/peer.js';
import { noteEvent } from '../../server/db/note-event.js';
import type { Tx } from '../../server/db/sql.js';
import { peerOptions } from '../mesh-ports.js';

/** Shown by dashboards: changes are events. */
const STATE = {
  status: true,
  degradedUntil: true,
  lastErrorCode: true,
  ...peerOptions(() => true as const),
} as const;

type State = Pick<Peer, keyof typeof STATE>;
const COLUMNS = Object.keys(STATE) as (keyof State)[];

/** Plain values: SQL expressions cannot be compared. */
type Change = Omit<QueryDeepPartialEntity<Peer>, keyof State> & Partial<State>;

/** Locked until the commit. */
type Former = State & Pick<Peer, 'originId' | 'name' | 'origin'>;

/**
 * Notes an event per changed state (spec/operators.md §4). Every change of
 * status, trust, degradation or error goes through here, except a page's
 * (`mesh/pull/store/peer.sql.ts`).
 * @returns the former peers by origin id
 */
export async function updatePeers(
  tx: Tx,
  where: FindOptionsWhere<Peer>,
  change: Change,
): Promise<Former[]> {
  const { manager } = tx;
  const peers = await manager.find(Peer, {
    select: { originId: true, name: true, origin: true, ...STATE },
    where,
    order: { originId: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });
  if (peers.length === 0) return [];
  const originId = In(peers.map((peer) => peer.originId));
  await manager.update(Peer, { originId }, change);
  const events = peers.flatMap((former) => {
    const { status, lastErrorCode: error } = { ...former, ...change };
    const isOther = COLUMNS.some(
      (column) => column in change && change[column] !== former[column],
    );
    return isOther ? [{ name: former.name, status, error }] : [];
  });
  await noteEvent(tx, 'peer', ...events);
  return peers;
}

type NewPeer = Omit<QueryDeepPartialEntity<Peer>, keyof State | 'name'> &
  Pick<Peer, 'name' | 'status' | 'trust'>;

export async function insertPeer(tx: Tx, peer: NewPeer): Promise<void> {
  await tx.manager.insert(Peer, peer);
  const { name, status } = peer;
  await noteEvent(tx, 'peer', { name, status, error: null });
}
