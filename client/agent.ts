import { keyPairFromSeed, ready, signBytes } from '../protocol/signing.js';

/** One who signs: the private key stays behind `sign`. */
export type Agent = {
  id: string;
  /** The Ed25519 signature, 64 bytes, of exactly these bytes. */
  sign(statement: Uint8Array): Uint8Array | Promise<Uint8Array>;
};

/** An agent whose current key has this seed (32 bytes). */
export async function agentFromSeed(
  id: string,
  seed: Uint8Array,
): Promise<Agent> {
  await ready;
  const pair = keyPairFromSeed(seed);
  return { id, sign: (statement) => signBytes(statement, pair) };
}
