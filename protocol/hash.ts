import { sha256 as portable } from '@noble/hashes/sha2.js';
import { concat } from './bytes.js';

/** SHA-256 of all bytes at once: 32 bytes of their own. */
export type Digest = (bytes: Uint8Array) => Uint8Array;

let digest: Digest = portable;
/** Where short parts are put together: nobody keeps what stands here. */
const joined = new Uint8Array(16_384);

/**
 * Hands in the platform's own SHA-256, several times as fast as the portable
 * one that stands here for browsers. It MUST answer the same bytes; whoever
 * starts a process or a thread says it once, before anything is hashed.
 */
export function useDigest(native: Digest): void {
  digest = native;
}

/** SHA-256 (FIPS 180-4) of the parts, one after the other: 32 bytes. */
export function sha256(...parts: Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return digest(first);
  let length = 0;
  for (const part of parts) length += part.length;
  if (length > joined.length) return digest(concat(...parts));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return digest(joined.subarray(0, length));
}
