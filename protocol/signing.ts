import sodium from 'libsodium-wrappers';

/**
 * The only door to Ed25519. Verifiers disagree at the edges of the curve, so
 * one library decides: a signature is valid if and only if libsodium accepts
 * it (spec/mesh.md §B1). No other file may import it.
 */
export const ready: Promise<void> = sodium.ready;

/** An Ed25519 key: 32 byte public key, 64 byte secret key (seed ‖ public). */
export type KeyPair = { publicKey: Uint8Array; secretKey: Uint8Array };

const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** `seed` MUST be 32 bytes. MUST be called after `ready`. */
export function keyPairFromSeed(seed: Uint8Array): KeyPair {
  const { publicKey, privateKey } = sodium.crypto_sign_seed_keypair(seed);
  return { publicKey, secretKey: privateKey };
}

/** The 64 byte Ed25519 signature (RFC 8032) of `message`. */
export function signBytes(message: Uint8Array, pair: KeyPair): Uint8Array {
  return sodium.crypto_sign_detached(message, pair.secretKey);
}

/**
 * True if and only if `crypto_sign_verify_detached` accepts. Wrong lengths
 * are false, never an exception.
 */
export function verifySignature(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  if (publicKey.length !== PUBLIC_KEY_BYTES) return false;
  return sodium.crypto_sign_verify_detached(signature, message, publicKey);
}

/**
 * False for keys of small or mixed order, which MUST NOT be registered or
 * pinned (`weak_key`, spec/mesh.md §B1): with them one signature could mean
 * several things to several verifiers.
 */
export function isAcceptableKey(publicKey: Uint8Array): boolean {
  if (publicKey.length !== PUBLIC_KEY_BYTES) return false;
  try {
    sodium.crypto_sign_ed25519_pk_to_curve25519(publicKey);
    return true;
  } catch {
    return false;
  }
}
