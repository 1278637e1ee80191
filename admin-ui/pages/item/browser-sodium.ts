/** One question that the protocol asked about a signature. */
export type Asked = {
  signature: Uint8Array;
  message: Uint8Array;
  publicKey: Uint8Array;
};

let asked: Asked[] = [];

/** What has been asked since the last call; the list starts empty again. */
export function takeAsked(): Asked[] {
  const before = asked;
  asked = [];
  return before;
}

function noSigning(): never {
  throw new Error('a page signs nothing');
}

/**
 * Stands in for libsodium in the browser, whose Ed25519 answers later and not
 * at once: every signature is taken for good and noted, and the caller must have
 * all of them checked before believing the result (`verify-proof.ts`).
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
  /** Keys of small order are refused where they are registered. */
  crypto_sign_ed25519_pk_to_curve25519: (key: Uint8Array) => key,
  crypto_sign_detached: noSigning,
  crypto_sign_seed_keypair: noSigning,
};

/** @public The protocol imports the library by its default export. */
export default sodium;
