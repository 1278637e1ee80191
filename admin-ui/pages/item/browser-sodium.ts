/** A signature that the protocol wanted checked. */
export type Asked = {
  signature: Uint8Array;
  message: Uint8Array;
  publicKey: Uint8Array;
};

let asked: Asked[] = [];

/** Since the last call; starts an empty list. */
export function takeAsked(): Asked[] {
  const before = asked;
  asked = [];
  return before;
}

function noSigning(): never {
  throw new Error('a page signs nothing');
}

/**
 * Replaces libsodium in the browser, whose Ed25519 is asynchronous: takes every
 * signature for good and notes it. Callers MUST check all of them before they
 * believe the result.
 */
const sodium = {
  ready: Promise.resolve(),
  crypto_sign_verify_detached(
    signature: Uint8Array,
    message: Uint8Array,
    publicKey: Uint8Array,
  ): boolean {
    asked.push({ signature, message, publicKey });
    return true;
  },
  /** Keys of small order are refused at registration. */
  crypto_sign_ed25519_pk_to_curve25519: (key: Uint8Array) => key,
  crypto_sign_detached: noSigning,
  crypto_sign_seed_keypair: noSigning,
};

/** @public The protocol imports the library by its default export. */
export default sodium;
