import { ForgottenPeer } from '../../server/db/entities/forgotten-peer.js';
import { Peer } from '../../server/db/entities/peer.js';
import { noteEvent } from '../../server/db/note-event.js';
import { retryTransient, type Tx } from '../../server/db/sql.js';
import type { PeerHoldings } from '../mesh-ports.js';
import { holdingsOf } from './holdings.js';
import {
  conflict,
  dropMirrors,
  type PeerAdminParts,
  requirePeer,
} from './peers.sql.js';

/**
 * Removes its mirror and returns what that was. Confirmed key, quarantine and
 * evidence stay (spec/mesh.md §B8.4).
 */
export async function forgetPeer(
  parts: PeerAdminParts,
  board: string,
): Promise<PeerHoldings> {
  const { db, clock } = parts;
  const peer = await requirePeer(parts, board);
  const { originId, name, origin, logVkey, status } = peer;
  const held = await holdingsOf(parts, peer);
  await retryTransient(db, async (tx) => {
    const { manager } = tx;
    const lock = { mode: 'pessimistic_write' } as const;
    const now = await manager.findOne(Peer, { where: { originId }, lock });
    if (now === null) throw conflict(`${name} was forgotten meanwhile.`);
    await dropMirrors(tx, peer, clock.now());
    if (peer.confirmedAt !== null) {
      const isStopped = status === 'quarantined';
      await manager.upsert(
        ForgottenPeer,
        {
          origin,
          name,
          logVkey,
          forgottenAt: clock.now(),
          quarantine: isStopped ? (peer.statusReason ?? 'unknown') : null,
        },
        ['origin'],
      );
    }
    await manager.delete(Peer, { originId });
    const gone = { name, status: null, error: null };
    await noteEvent(tx, 'peer', gone);
  });
  return held;
}

export async function rememberedLog(
  { manager }: Tx,
  name: string,
): Promise<ForgottenPeer | null> {
  return await manager.findOne(ForgottenPeer, {
    where: { name },
    order: { forgottenAt: 'DESC' },
  });
}
