import type { KeyRefusal } from '../../protocol/key.js';
import {
  type KeyChain,
  type KeyStep,
  stepKeyChain,
} from '../../protocol/key.js';
import { accepted, refused, type Verdict } from '../../protocol/verdict.js';

export type MergedKeys = {
  /** Null where nothing is known of the agent. */
  chain: KeyChain | null;
  /** What was not known before, to be recorded in this order. */
  steps: readonly KeyStep[];
};

/**
 * Takes an envelope's key events to what this board knows of the agent, which
 * wins (spec/mesh.md §B10): known events are repeats, a second one of a known
 * seq ends the agent, and an agent that has ended takes no more.
 */
export function mergeKeys(
  known: KeyChain | null,
  agent: string,
  notes: readonly string[],
): Verdict<MergedKeys, KeyRefusal | 'key_unknown'> {
  let chain = known;
  const steps: KeyStep[] = [];
  for (const note of notes) {
    const step = stepKeyChain(chain, note);
    if (!step.ok) {
      const ended = chain !== null && chain.status !== 'active';
      if (ended && /^key_(conflict|revoked)$/.test(step.reason)) break;
      return step;
    }
    if (step.value.chain.agent !== agent) return refused('key_unknown');
    chain = step.value.chain;
    if (step.value.kind !== 'repeat') steps.push(step.value);
  }
  return accepted({ chain, steps });
}
