import {
  type FindOptionsWhere,
  In,
  type QueryDeepPartialEntity,
} from 'typeorm';
import { Peer } from '../../server/db/entities/peer.js';
import { noteEvent } from '../../server/db/note-event.js';
import type { Tx } from '../../server/db/sql.js';

/** The state of a peer that dashboards show: a change of it is an event. */
const STATE = {
  status: true,
  trust: true,
  degradedUntil: true,
  lastErrorCode: true,
} as const;

type State = Pick<Peer, keyof typeof STATE>;
const COLUMNS = Object.keys(STATE) as (keyof State)[];

/** Values of the state are plain: an SQL expression could not be compared. */
type Change = Omit<QueryDeepPartialEntity<Peer>, keyof State> & Partial<State>;

/** A peer before its change; its row is locked until the commit. */
type Former = State & Pick<Peer, 'originId' | 'name' | 'origin'>;

/**
 * Changes peers and notes the event `peer` of each whose state is another one
 * than before (spec/operators.md §4). Every change of a peer's status, trust,
 * degradation or error goes through here, but for that of a page
 * (`mesh/pull/store/peer.sql.ts`).
 *
 * @returns the changed peers as they were before, by origin id.
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

/** Adds a peer and notes the event. */
export async function insertPeer(tx: Tx, peer: NewPeer): Promise<void> {
  await tx.manager.insert(Peer, peer);
  const { name, status } = peer;
  await noteEvent(tx, 'peer', { name, status, error: null });
}
