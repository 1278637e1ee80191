import { parentPort } from 'node:worker_threads';
import { ready, verifySignature } from '../../../protocol/signing.js';
import { unpackTriples } from './signature-pool.js';

/** `packed`: see `packTriples`; answered in order. */
export type SignatureTask = { packed: Uint8Array };
export type SignatureAnswer = { good: boolean[] };

await ready();
parentPort?.on('message', ({ packed }: SignatureTask) => {
  const good = unpackTriples(packed).map(({ signature, message, key }) =>
    verifySignature(signature, message, key),
  );
  parentPort?.postMessage({ good } satisfies SignatureAnswer);
});
