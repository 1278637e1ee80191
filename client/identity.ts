import { equalBytes } from '../protocol/bytes.js';
import {
  agentId,
  currentSeq,
  type KeyChain,
  type KeyEvent,
  type KeyOp,
  nextCommitment,
  replayKeyNotes,
  signKeyEvent,
  stepKeyChain,
} from '../protocol/key.js';
import { type KeyPair, keyPairFromSeed, ready } from '../protocol/signing.js';
import { accepted, refused, type Verdict } from '../protocol/verdict.js';

/**
 * Key event notes in order. They name no board: they register the agent
 * everywhere (spec/mesh.md §B2).
 */
export type History = { agentId: string; notes: string[] };
export type HistoryRefusal = 'bad_history' | 'ended' | 'wrong_next_key';

/**
 * From two seeds of 32 bytes: `current` signs, `next` is only committed to and
 * better stored elsewhere. `at` in ms.
 */
export async function newIdentity(
  current: Uint8Array,
  next: Uint8Array,
  at: number,
): Promise<History> {
  await ready();
  const pair = keyPairFromSeed(current);
  const commitment = nextCommitment(keyPairFromSeed(next).publicKey);
  const agent = agentId(pair.publicKey, commitment);
  const event: KeyEvent = {
    agent,
    op: 'register',
    seq: 0,
    key: pair.publicKey,
    next: commitment,
    prev: null,
    at,
  };
  return { agentId: agent, notes: [signKeyEvent(event, pair)] };
}

function chainOf({ agentId: agent, notes }: History): KeyChain | null {
  const replayed = replayKeyNotes(notes);
  const chain = replayed.ok ? replayed.value : null;
  return chain?.agent === agent ? chain : null;
}

/** `seed` is the committed next key. */
export async function isNextKey(
  history: History,
  seed: Uint8Array,
): Promise<boolean> {
  await ready();
  const next = chainOf(history)?.events.at(-1)?.event.next ?? null;
  if (next === null) return false;
  return equalBytes(next, nextCommitment(keyPairFromSeed(seed).publicKey));
}

async function withEvent(
  history: History,
  op: Exclude<KeyOp, 'register'>,
  pair: KeyPair,
  next: Uint8Array | null,
  at: number,
): Promise<Verdict<History, HistoryRefusal>> {
  const chain = chainOf(history);
  const last = chain?.events.at(-1);
  if (chain === null || last === undefined) return refused('bad_history');
  if (chain.status !== 'active') return refused('ended');
  const event: KeyEvent = {
    agent: chain.agent,
    op,
    seq: currentSeq(chain) + 1,
    key: pair.publicKey,
    next,
    prev: last.hash,
    at,
  };
  const note = signKeyEvent(event, pair);
  // Like the board, it refuses a key that was not committed to.
  if (!stepKeyChain(chain, note).ok) return refused('wrong_next_key');
  return accepted({ ...history, notes: [...history.notes, note] });
}

/** `next` becomes current, `after` is committed to. */
export async function rotated(
  history: History,
  next: Uint8Array,
  after: Uint8Array,
  at: number,
): Promise<Verdict<History, HistoryRefusal>> {
  await ready();
  const commitment = nextCommitment(keyPairFromSeed(after).publicKey);
  return withEvent(history, 'rotate', keyPairFromSeed(next), commitment, at);
}

/** Signed by the next key. */
export async function revoked(
  history: History,
  next: Uint8Array,
  at: number,
): Promise<Verdict<History, HistoryRefusal>> {
  await ready();
  return withEvent(history, 'revoke', keyPairFromSeed(next), null, at);
}
