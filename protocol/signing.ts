/**
 * The only door to Ed25519. Verifiers disagree at the edges of the curve, so
 * one library decides: a signature is valid if and only if libsodium accepts
 * it (spec/mesh.md §B1). No other file may import it.
 */
let sodium: typeof import('libsodium-wrappers')['default'];

/** To be awaited before anything else of this file is used. */
export async function ready(): Promise<void> {
  // Loaded here: most commands do without it, and it would be half of their start.
  sodium ??= (await import('libsodium-wrappers')).default;
  await sodium.ready;
}

/** 32 byte public key, 64 byte secret key (seed ‖ public). */
export type KeyPair = { publicKey: Uint8Array; secretKey: Uint8Array };

const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** `seed` MUST be 32 bytes. */
export function keyPairFromSeed(seed: Uint8Array): KeyPair {
  const { publicKey, privateKey } = sodium.crypto_sign_seed_keypair(seed);
  return { publicKey, secretKey: privateKey };
}

/** 64 bytes (RFC 8032). */
export function signBytes(message: Uint8Array, pair: KeyPair): Uint8Array {
  return sodium.crypto_sign_detached(message, pair.secretKey);
}

/** Wrong lengths are false, never an exception. */
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
 * False for small or mixed order (`weak_key`, spec/mesh.md §B1): verifiers
 * disagree about them. MUST NOT be registered or pinned.
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
