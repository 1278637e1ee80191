import { keyPairFromSeed, ready, signBytes } from '../protocol/signing.js';

/** The private key stays behind `sign`. */
export type Agent = {
  id: string;
  /** Ed25519, 64 bytes, of exactly these bytes. */
  sign(statement: Uint8Array): Uint8Array | Promise<Uint8Array>;
};

/** `seed`: of its current key, 32 bytes. */
export async function agentFromSeed(
  id: string,
  seed: Uint8Array,
): Promise<Agent> {
  await ready();
  const pair = keyPairFromSeed(seed);
  return { id, sign: (statement) => signBytes(statement, pair) };
}
