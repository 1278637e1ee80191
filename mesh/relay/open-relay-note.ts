import { parseNote } from '../../protocol/note.js';
import { openRelay, parseRelay, type Relay } from '../../protocol/relay.js';
import type { Context } from '../../server/context.js';
import { findRelayPeer } from './relay-peer.js';
import { relayRefusal } from './relay-refusals.js';

const NOTE = 'relay_note';
/** How far the relay note's `at` may lie from the clock (spec/mesh.md §B10). */
const RELAY_MS = 120_000;

/**
 * The word of the node that hands a post in: an active peer with trust
 * `relay`, for this board, of just now (spec/mesh.md §B10).
 * @throws BoardError 400 `bad_note`, `bad_statement`, `wrong_board`,
 * `stale_statement`; 403 `peer_not_allowed`, `signature_invalid`.
 */
export async function openRelayNote(
  ctx: Context,
  raw: string,
  now: number,
): Promise<Relay> {
  const note = parseNote(raw);
  if (!note.ok) throw relayRefusal(note.reason, NOTE);
  const claimed = parseRelay(note.value.text);
  if (!claimed.ok) throw relayRefusal(claimed.reason, NOTE);
  const peer = await findRelayPeer(ctx.writes, claimed.value.from);
  if (peer?.status !== 'active' || peer.trust !== 'relay') {
    throw relayRefusal('peer_not_allowed', NOTE);
  }
  const opened = openRelay(raw, peer.nodeVkey);
  if (!opened.ok) throw relayRefusal(opened.reason, NOTE);
  const relay = opened.value;
  if (relay.to !== ctx.board.name) throw relayRefusal('wrong_board', NOTE);
  if (Math.abs(relay.at - now) > RELAY_MS) {
    throw relayRefusal('stale_statement', NOTE);
  }
  return relay;
}
