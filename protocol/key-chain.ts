import { equalBytes, utf8 } from './bytes.js';
import type { KeyEvent } from './key-event.js';
import { isLineOf, type NoteSignature } from './note.js';
import { verifySignature } from './signing.js';
import { ED25519, makeVkey, type Vkey } from './vkey.js';

/** An accepted event: its note, and the hash and parts of its text. */
export type ChainEvent = { event: KeyEvent; hash: Uint8Array; note: string };

/**
 * The state of one agent's keys in one log (spec/mesh.md §B2): `events[seq]`
 * holds the event of that seq; `conflicts` holds valid second events of a seq.
 * Plain data: never changed, always replaced.
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

/** A key id is a hash: made once for each event, not for each post. */
const vkeys = new WeakMap<KeyEvent, Vkey>();

/** The key of event `seq` as a verifier key of the agent's notes. */
export function chainVkey(chain: KeyChain, seq: number): Vkey | null {
  const event = chain.events[seq]?.event;
  if (event === undefined) return null;
  const known = vkeys.get(event);
  if (known?.name === chain.agent) return known;
  const vkey = makeVkey(chain.agent, ED25519, event.key);
  vkeys.set(event, vkey);
  return vkey;
}

/** True where `key` was the agent's before the current one. */
export function isFormerKey(chain: KeyChain, key: Uint8Array): boolean {
  const current = chain.events.at(-1)?.event.key;
  if (current === undefined || equalBytes(current, key)) return false;
  return chain.events.some(({ event }) => equalBytes(event.key, key));
}

/**
 * Why a signature that the expected key did not make is refused: made by a
 * former key of the agent, or by none of them (spec/mesh.md §B2.3).
 */
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

/** True where the line states the agent's key `key` and verifies under it. */
export function isSignedBy(
  text: string,
  line: NoteSignature,
  key: Uint8Array,
): boolean {
  if (!isLineOf(line, makeVkey(line.name, ED25519, key))) return false;
  return verifySignature(line.signature, utf8(text), key);
}
