import { readHashText, readList, readObject } from '../../protocol/json.js';
import { PROOF_HASHES } from '../../protocol/limits.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import type { PullSource } from '../pull/hooks.js';

const ANSWER_BYTES = 16_384;

/** `refused`: the log answered, and not with a proof. */
export type AskedProof = Uint8Array[] | 'refused' | 'unreachable';

/** Asks a log for the proof that one of its sizes continues another. */
export async function askConsistency(
  { client, signal }: { client: PeerClient; signal: AbortSignal },
  { baseUrl, prefix }: PullSource,
  from: number,
  to: number,
): Promise<AskedProof> {
  const path = `${prefix}/consistency?from=${from}&to=${to}`;
  const answer = await client.get(baseUrl, path, {
    signal,
    maxWireBytes: ANSWER_BYTES,
    maxInflatedBytes: ANSWER_BYTES,
  });
  if (!answer.ok || answer.value.status >= 500) return 'unreachable';
  if (answer.value.status === 429) return 'unreachable';
  if (answer.value.status !== 200) return 'refused';
  return readProof(answer.value.body.toString('utf8')) ?? 'refused';
}

function readProof(text: string): Uint8Array[] | null {
  try {
    const hashes = readObject(JSON.parse(text))?.hashes;
    return readList(hashes, PROOF_HASHES, readHashText);
  } catch {
    return null;
  }
}
