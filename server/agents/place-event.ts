import { equalBytes } from '../../protocol/bytes.js';
import {
  currentSeq,
  formatKeyEvent,
  type KeyChain,
  type KeyStep,
  keyEventHash,
  stepKeyChain,
} from '../../protocol/key.js';
import type { StoredKeyEvent } from '../ledger/key-state.js';
import type { BoardError } from '../errors.js';
import type { KeyAnswer } from './answers.js';
import { keyEventRefusal } from './key-refusals.js';

/** An agent's events in the board's log and the chain they make. */
export type KnownKeys = {
  events: readonly StoredKeyEvent[];
  chain: KeyChain | null;
};

export type PlacedEvent =
  | { kind: 'refused'; refusal: BoardError }
  | { kind: 'known'; answer: KeyAnswer }
  | { kind: 'new'; step: KeyStep };

export function keyAnswer(chain: KeyChain, index: number): KeyAnswer {
  return {
    agent_id: chain.agent,
    status: chain.status,
    key_seq: currentSeq(chain),
    log: { index },
  };
}

/** A second event of a known seq: on record, and an error for its sender. */
export function conflictRefusal(chain: KeyChain, index: number): BoardError {
  return keyEventRefusal('key_conflict', { current: keyAnswer(chain, index) });
}

/**
 * Where an event belongs. The event that made a conflict is answered again as
 * it was the first time; every other known one is an exact repeat.
 */
export function placeEvent(
  { events, chain }: KnownKeys,
  note: string,
): PlacedEvent {
  const step = stepKeyChain(chain, note);
  if (!step.ok) {
    return { kind: 'refused', refusal: keyEventRefusal(step.reason) };
  }
  if (step.value.kind !== 'repeat') return { kind: 'new', step: step.value };
  const hash = keyEventHash(formatKeyEvent(step.value.event));
  const stored = events.find((one) => equalBytes(one.hash, hash));
  if (stored === undefined) throw new Error('a repeat of nothing stored');
  const { index, conflict } = stored;
  return conflict
    ? { kind: 'refused', refusal: conflictRefusal(step.value.chain, index) }
    : { kind: 'known', answer: keyAnswer(step.value.chain, index) };
}
