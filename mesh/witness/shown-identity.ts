import { noticeIdentity } from '../peers/adopt-identity.js';
import { lockPeer } from '../peers/peer-row.js';
import type { WitnessParts } from './witness-parts.js';

/** Looks at the identity note a peer shows in `/api/mesh` or in its log. */
export async function noticeShownIdentity(
  { writes, clock, log }: Pick<WitnessParts, 'writes' | 'clock' | 'log'>,
  originId: number,
  note: string | null,
): Promise<void> {
  if (note === null) return;
  await writes.transaction(async (tx) => {
    const peer = await lockPeer(tx, originId);
    if (peer === null) return;
    const notice = await noticeIdentity(tx, peer, note, clock.now());
    if (notice === 'known' || notice === 'refused') return;
    // One line for all that wait one after the other: whoever signs a new
    // identity every minute writes no log full.
    if (notice === 'waiting' && peer.pending_identity !== null) return;
    log.info({ peer: peer.name, notice }, "a peer's identity has changed");
  });
}
