import { sha256 as portable } from '@noble/hashes/sha2.js';
import { concat } from './bytes.js';

/** SHA-256 of all bytes at once: 32 bytes of their own. */
export type Digest = (bytes: Uint8Array) => Uint8Array;

let digest: Digest = portable;

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
  const whole =
    parts.length === 1 && first !== undefined ? first : concat(...parts);
  return digest(whole);
}
