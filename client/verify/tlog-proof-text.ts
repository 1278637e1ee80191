import { equalBytes, fromUtf8 } from '../../protocol/bytes.js';
import { openCheckpoint } from '../../protocol/checkpoint.js';
import { parseEntryHead } from '../../protocol/entry.js';
import { verifyInclusion } from '../../protocol/inclusion.js';
import { cosignersOf, parseTlogProof } from '../../protocol/proof.js';
import { ready } from '../../protocol/signing.js';
import { leafHash } from '../../protocol/tree.js';
import { accepted, refused, type Verdict } from '../../protocol/verdict.js';
import { type Pins, pinOf } from './pins.js';

export type CheckedInclusion = {
  /** Of which the entry is; null: of another kind. */
  messageId: number | null;
  origin: string;
  index: number;
  size: number;
  cosigners: string[];
};
export type InclusionStep =
  | 'bad_proof'
  | 'log_pin'
  | 'checkpoint'
  | 'inclusion';

/** Text form of C2SP tlog-proof. */
export function isTlogProof(bytes: Uint8Array): boolean {
  const head = fromUtf8(bytes.subarray(0, 22));
  return head === 'c2sp.org/tlog-proof@v1';
}

/**
 * The text names no key, so the log MUST be pinned.
 * @param leaf the entry; null: the `extra` of the text
 */
export async function verifyTlogProofText(
  bytes: Uint8Array,
  leaf: Uint8Array | null,
  pins: Pins,
): Promise<Verdict<CheckedInclusion, InclusionStep>> {
  await ready();
  const proof = parseTlogProof(fromUtf8(bytes) ?? '');
  if (!proof.ok) return proof;
  const { checkpoint, index, inclusion, extra } = proof.value;
  const entry = leaf ?? extra ?? null;
  if (entry === null) return refused('bad_proof');
  // The entry of a guest; nothing vouches for any other.
  if (extra && !equalBytes(extra, entry)) return refused('bad_proof');
  const origin = checkpoint.slice(0, checkpoint.indexOf('\n'));
  const pin = pinOf(pins, origin);
  if (pin === null) return refused('log_pin');
  const head = openCheckpoint(checkpoint, pin);
  const cosigners = cosignersOf(checkpoint, pins.cosigners);
  if (!head.ok || cosigners === null) return refused('checkpoint');
  const { size, root } = head.value;
  if (!verifyInclusion(leafHash(entry), index, size, inclusion, root)) {
    return refused('inclusion');
  }
  const messageId = parseEntryHead(fromUtf8(entry) ?? '')?.id ?? null;
  return accepted({ messageId, origin, index, size, cosigners });
}
