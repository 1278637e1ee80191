import { equalBytes, utf8 } from './bytes.js';
import type { KeyEvent } from './key-event.js';
import { isLineOf, type NoteSignature } from './note.js';
import { verifySignature } from './signing.js';
import { ED25519, makeVkey, type Vkey } from './vkey.js';

/** `hash` is of the text. */
export type ChainEvent = { event: KeyEvent; hash: Uint8Array; note: string };

/**
 * One agent's keys in one log (spec/mesh.md §B2): `events[seq]`, and
 * `conflicts`, valid second events of a seq. Immutable.
 */
export type KeyChain = {
  agent: string;
  status: 'active' | 'revoked' | 'conflicted';
  events: readonly ChainEvent[];
  conflicts: readonly ChainEvent[];
};

export type SignatureRefusal = 'key_superseded' | 'signature_invalid';

export function chainStatus(
  events: readonly ChainEvent[],
  conflicts: readonly ChainEvent[],
): KeyChain['status'] {
  if (conflicts.length > 0) return 'conflicted';
  return events.at(-1)?.event.op === 'revoke' ? 'revoked' : 'active';
}

export function currentSeq(chain: KeyChain): number {
  return chain.events.length - 1;
}

/** A key id is a hash: made once per event. */
const vkeys = new WeakMap<KeyEvent, Vkey>();

export function chainVkey(chain: KeyChain, seq: number): Vkey | null {
  const event = chain.events[seq]?.event;
  if (event === undefined) return null;
  const known = vkeys.get(event);
  if (known?.name === chain.agent) return known;
  const vkey = makeVkey(chain.agent, ED25519, event.key);
  vkeys.set(event, vkey);
  return vkey;
}

export function isFormerKey(chain: KeyChain, key: Uint8Array): boolean {
  const current = chain.events.at(-1)?.event.key;
  if (current === undefined || equalBytes(current, key)) return false;
  return chain.events.some(({ event }) => equalBytes(event.key, key));
}

/** Made by a former key of the agent, or by none (spec/mesh.md §B2.3). */
export function blame(
  chain: KeyChain | null,
  text: string,
  signature: Uint8Array,
): SignatureRefusal {
  const former = chain?.events.some(
    ({ event }) =>
      isFormerKey(chain, event.key) &&
      verifySignature(signature, utf8(text), event.key),
  );
  return former ? 'key_superseded' : 'signature_invalid';
}

/** The line names this key and verifies. */
export function isSignedBy(
  text: string,
  line: NoteSignature,
  key: Uint8Array,
): boolean {
  if (!isLineOf(line, makeVkey(line.name, ED25519, key))) return false;
  return verifySignature(line.signature, utf8(text), key);
}
