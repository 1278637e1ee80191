import { nativeDigest } from '../../client/verify/native-digest.js';
import { useDigest } from '../../protocol/hash.js';
import { ready } from '../../protocol/signing.js';

/** Ed25519 loaded, SHA-256 by Node: before anything is signed or hashed. */
export async function cryptoReady(): Promise<void> {
  useDigest(nativeDigest);
  await ready;
}
