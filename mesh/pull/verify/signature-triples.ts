import { equalBytes } from '../../../protocol/bytes.js';
import type { Verifier } from '../../../protocol/key.js';
import { verifySignature } from '../../../protocol/signing.js';

/** What one Ed25519 judgement is about: exactly 64 bytes, any, exactly 32. */
export type Triple = {
  signature: Uint8Array;
  message: Uint8Array;
  key: Uint8Array;
};

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const LENGTH_BYTES = 4;
const FIXED_BYTES = LENGTH_BYTES + SIGNATURE_BYTES + KEY_BYTES;

/** All triples as one piece of memory, to be handed to a thread. */
export function packTriples(triples: readonly Triple[]): Uint8Array {
  let size = 0;
  for (const { message } of triples) size += FIXED_BYTES + message.length;
  const packed = new Uint8Array(size);
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const { signature, message, key } of triples) {
    view.setUint32(at, message.length);
    packed.set(signature, at + LENGTH_BYTES);
    packed.set(key, at + LENGTH_BYTES + SIGNATURE_BYTES);
    packed.set(message, at + FIXED_BYTES);
    at += FIXED_BYTES + message.length;
  }
  return packed;
}

/** The inverse of `packTriples`, as views of its bytes. */
export function unpackTriples(packed: Uint8Array): Triple[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const triples: Triple[] = [];
  for (let at = 0; at < packed.length; ) {
    const from = at + LENGTH_BYTES;
    const start = at + FIXED_BYTES;
    at = start + view.getUint32(at);
    triples.push({
      signature: packed.subarray(from, from + SIGNATURE_BYTES),
      key: packed.subarray(from + SIGNATURE_BYTES, start),
      message: packed.subarray(start, at),
    });
  }
  return triples;
}

/**
 * A verifier that knows the judgement of some triples already. It answers for
 * exactly these bytes; whatever else it is asked, libsodium judges now.
 */
export function knowing(
  triples: readonly Triple[],
  good: readonly boolean[],
): Verifier {
  const known = new Map(
    triples.map((triple, at) => [triple.signature, { triple, at }]),
  );
  return (signature, message, key) => {
    const found = known.get(signature);
    const same =
      found !== undefined &&
      equalBytes(found.triple.key, key) &&
      equalBytes(found.triple.message, message);
    const judged = same ? good[found.at] : undefined;
    return judged ?? verifySignature(signature, message, key);
  };
}
