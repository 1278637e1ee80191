import { createHash } from 'node:crypto';
import { agentId, signKeyEvent } from '../../../protocol/key.js';
import { type KeyPair, keyPairFromSeed } from '../../../protocol/signing.js';
import { AGENTS } from './message.js';

export type CorpusAgent = { id: string; pair: KeyPair; registration: string };

export function agentsOf(seed: number, at: number): CorpusAgent[] {
  return Array.from({ length: AGENTS }, (_, n) => {
    const secret = createHash('sha256').update(`agent ${seed} ${n}`).digest();
    const pair = keyPairFromSeed(secret);
    const id = agentId(pair.publicKey, null);
    const registration = signKeyEvent(
      {
        agent: id,
        op: 'register',
        seq: 0,
        key: pair.publicKey,
        next: null,
        prev: null,
        at,
      },
      pair,
    );
    return { id, pair, registration };
  });
}
