import crypto from 'node:crypto';
import { concat } from '../../protocol/bytes.js';
import {
  hasSmallOrder,
  isCanonical,
  isInMainSubgroup,
  isReduced,
} from './curve.js';

/** DER before a key's 32 bytes (RFC 8410). */
const PUBLIC = Buffer.from('302a300506032b6570032100', 'hex');
const PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');
const HALF = 32;

function privateKeyOf(seed: Uint8Array) {
  const key = Buffer.from(concat(PRIVATE, seed));
  return crypto.createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** Accepts what libsodium accepts (spec/mesh.md §B1). */
export const sodium = {
  ready: Promise.resolve(),

  crypto_sign_verify_detached(
    signature: Uint8Array,
    message: Uint8Array,
    publicKey: Uint8Array,
  ): boolean {
    const r = signature.subarray(0, HALF);
    // Node compares the bytes of R, so they are canonical.
    if (hasSmallOrder(r) || !isReduced(signature.subarray(HALF))) return false;
    if (!isCanonical(publicKey) || hasSmallOrder(publicKey)) return false;
    const spki = Buffer.from(concat(PUBLIC, publicKey));
    const key = { key: spki, format: 'der', type: 'spki' } as const;
    return crypto.verify(null, message, key, signature);
  },

  /** @throws Error for a key that must not be used; the result is no key. */
  crypto_sign_ed25519_pk_to_curve25519(key: Uint8Array): Uint8Array {
    if (!isInMainSubgroup(key)) throw new Error('invalid public key');
    return key;
  },

  crypto_sign_seed_keypair(seed: Uint8Array) {
    const key = crypto.createPublicKey(privateKeyOf(seed));
    const der = key.export({ format: 'der', type: 'spki' });
    const publicKey = Uint8Array.from(der.subarray(PUBLIC.length));
    return { publicKey, privateKey: concat(seed, publicKey) };
  },

  crypto_sign_detached(message: Uint8Array, secretKey: Uint8Array): Uint8Array {
    const key = privateKeyOf(secretKey.subarray(0, HALF));
    return Uint8Array.from(crypto.sign(null, message, key));
  },
};

/** @public The protocol imports the library by its default export. */
export default sodium;
