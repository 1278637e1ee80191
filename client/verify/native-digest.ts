import crypto from 'node:crypto';
import type { Digest } from '../../protocol/bytes.js';

const BYTES = 32;

/** By OpenSSL. A binary string is faster than a Buffer. */
export const nativeDigest: Digest = (bytes) => {
  const text = crypto.hash('sha256', bytes, 'binary');
  const digest = new Uint8Array(BYTES);
  for (let at = 0; at < BYTES; at += 1) digest[at] = text.charCodeAt(at);
  return digest;
};
