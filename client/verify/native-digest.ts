import crypto from 'node:crypto';
import type { Digest } from '../../protocol/bytes.js';

const BYTES = 32;

/**
 * SHA-256 by OpenSSL, for `useDigest`. The digest comes as a binary string,
 * because Node makes that faster than a Buffer, which would also share its
 * memory with others and be cloned whole between threads.
 */
export const nativeDigest: Digest = (bytes) => {
  const text = crypto.hash('sha256', bytes, 'binary');
  const digest = new Uint8Array(BYTES);
  for (let at = 0; at < BYTES; at += 1) digest[at] = text.charCodeAt(at);
  return digest;
};
