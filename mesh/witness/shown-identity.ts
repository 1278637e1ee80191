import { noticeIdentity } from '../peers/adopt-identity.js';
import { findPeerById } from '../peers/peer-row.js';
import type { WitnessParts } from './witness-parts.js';

/** Looks at the identity note a peer shows in `/api/mesh` or in its log. */
export async function noticeShownIdentity(
  { writes, clock, log }: Pick<WitnessParts, 'writes' | 'clock' | 'log'>,
  originId: number,
  note: string | null,
): Promise<void> {
  if (note === null) return;
  const peer = await findPeerById(writes, originId);
  if (peer === null) return;
  const notice = await noticeIdentity(writes, peer, note, clock.now());
  if (notice === 'known' || notice === 'refused') return;
  log.info({ peer: peer.name, notice }, "a peer's identity has changed");
}
