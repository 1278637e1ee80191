import { nextCommitment } from './agent-id.js';
import { equalBytes } from './bytes.js';
import { readKeyNote } from './entry/embedded.js';
import {
  blame,
  type ChainEvent,
  chainStatus,
  isFormerKey,
  isSignedBy,
  type KeyChain,
  type SignatureRefusal,
} from './key-chain.js';
import { type KeyEvent, keyEventHash } from './key-event.js';
import { KEY_EVENTS } from './limits.js';
import { isAcceptableKey } from './signing.js';
import { accepted, refused, type Verdict } from './verdict.js';

/**
 * The next event; a repeat (nothing to store); or a second one of a known seq,
 * which MUST be recorded although the sender gets `key_conflict`.
 */
export type KeyStep = {
  kind: 'advance' | 'repeat' | 'conflict';
  chain: KeyChain;
  event: KeyEvent;
};
export type KeyRefusal =
  | SignatureRefusal
  | 'bad_note'
  | 'bad_statement'
  | 'weak_key'
  | 'key_revoked'
  | 'key_sequence'
  | 'key_conflict';

/** Uses the key that the former event committed to. */
function isCommitted(before: KeyEvent | undefined, event: KeyEvent): boolean {
  if (before === undefined) return event.op === 'register';
  if (before.next !== null) {
    return equalBytes(nextCommitment(event.key), before.next);
  }
  return event.op === 'revoke' && equalBytes(event.key, before.key);
}

function advance(chain: KeyChain | null, next: ChainEvent): KeyStep {
  const events = [...(chain?.events ?? []), next];
  const { agent } = next.event;
  const status = chainStatus(events, []);
  const advanced = { agent, status, events, conflicts: [] };
  return { kind: 'advance', chain: advanced, event: next.event };
}

/** For an event whose own signature is good. */
function place(
  chain: KeyChain | null,
  candidate: ChainEvent,
): Verdict<KeyStep, KeyRefusal> {
  const { event, hash } = candidate;
  const events = chain?.events ?? [];
  const known = events[event.seq];
  if (known === undefined) {
    if (chain?.status === 'revoked') return refused('key_revoked');
    if (chain?.status === 'conflicted') return refused('key_conflict');
  } else if (chain !== null) {
    const same = [known, ...chain.conflicts].some((one) =>
      equalBytes(one.hash, hash),
    );
    if (same) return accepted({ kind: 'repeat', chain, event });
  }
  if (event.seq > events.length || event.seq >= KEY_EVENTS) {
    return refused('key_sequence');
  }
  const before = events[event.seq - 1];
  const prev = before?.hash ?? null;
  if (event.prev !== null && (prev === null || !equalBytes(event.prev, prev))) {
    return refused('key_sequence');
  }
  if (!isCommitted(before?.event, event)) {
    const former = chain !== null && isFormerKey(chain, event.key);
    return refused(former ? 'key_superseded' : 'signature_invalid');
  }
  if (known === undefined || chain === null) {
    return accepted(advance(chain, candidate));
  }
  // One recorded conflict ends the agent; more would only fill the log.
  if (chain.status === 'conflicted') return refused('key_conflict');
  const conflicts = [candidate];
  const conflicted: KeyChain = { ...chain, status: 'conflicted', conflicts };
  return accepted({ kind: 'conflict', chain: conflicted, event });
}

/**
 * Null: no events yet (spec/mesh.md §B2). Pure: the caller stores note and
 * chain. Equal text is a repeat, even with another signature.
 */
export function stepKeyChain(
  chain: KeyChain | null,
  note: string,
): Verdict<KeyStep, KeyRefusal> {
  const read = readKeyNote(note);
  if (!read.ok) return read;
  const { event, text, line } = read.value;
  if (chain !== null && event.agent !== chain.agent) {
    return refused('bad_statement');
  }
  if (!isAcceptableKey(event.key)) return refused('weak_key');
  if (!isSignedBy(text, line, event.key)) {
    return refused(blame(chain, text, line.signature));
  }
  return place(chain, { event, hash: keyEventHash(text), note });
}

/** In log order. Conflicts are part of it, repeats are not. */
export function replayKeyNotes(
  notes: readonly string[],
): Verdict<KeyChain | null, KeyRefusal> {
  let chain: KeyChain | null = null;
  for (const note of notes) {
    const step: Verdict<KeyStep, KeyRefusal> = stepKeyChain(chain, note);
    if (!step.ok) return step;
    chain = step.value.chain;
  }
  return accepted(chain);
}
