import { concat, fromU64be, u64be, utf8 } from './bytes.js';
import { type KeyPair, signBytes, verifySignature } from './signing.js';

const BLOB_BYTES = 72;

function message(body: string, time: number): Uint8Array {
  return utf8(`cosignature/v1\ntime ${time}\n${body}`);
}

/**
 * The signature of a 0x04 line: `u64be(time) ‖ ed25519` over the time in
 * seconds and the whole checkpoint body (C2SP tlog-cosignature, spec/mesh.md
 * §A1).
 */
export function cosignatureBlob(
  body: string,
  time: number,
  pair: KeyPair,
): Uint8Array {
  return concat(u64be(time), signBytes(message(body, time), pair));
}

/** The time in seconds that a valid 0x04 signature states, otherwise null. */
export function cosignatureTime(
  body: string,
  blob: Uint8Array,
  publicKey: Uint8Array,
): number | null {
  const time = blob.length === BLOB_BYTES ? fromU64be(blob) : null;
  if (time === null) return null;
  const signed = message(body, time);
  return verifySignature(blob.slice(8), signed, publicKey) ? time : null;
}
