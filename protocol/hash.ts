import { sha256 as digest } from '@noble/hashes/sha2.js';
import { concat } from './bytes.js';

/** SHA-256 (FIPS 180-4) of the parts, one after the other: 32 bytes. */
export function sha256(...parts: Uint8Array[]): Uint8Array {
  const [first] = parts;
  const whole =
    parts.length === 1 && first !== undefined ? first : concat(...parts);
  return digest(whole);
}
