import { addressOf } from '../../protocol/address.js';
import { waitingIdentity } from './adopt-identity.js';
import type { PinnedPeer } from './peer-row.js';

type Waiting = Pick<PinnedPeer, 'name' | 'base_url' | 'pending_identity'>;

/** Another address in the identity that waits; null where there is none. */
export function waitingAddress(peer: Waiting): string | null {
  const waiting = waitingIdentity(peer);
  const address = waiting === null ? null : addressOf(waiting.url);
  return address === addressOf(peer.base_url) ? null : address;
}

/** What an operator has to know and to do; null where no address waits. */
export function movedText(peer: Waiting): string | null {
  const address = waitingAddress(peer);
  if (address === null) return null;
  const { name, base_url: old } = peer;
  const key = waitingIdentity(peer)?.log ?? '';
  return `${name} shows another address: ${address} instead of ${old}. Nothing is asked there, and pulling goes on at the old one, until an operator confirms it. Ask its operators whether it has moved, then confirm it on the page "Mesh" or with: reserve-board peer confirm ${name} '${key}' --address ${address}`;
}
