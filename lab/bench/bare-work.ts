import { parentPort, workerData } from 'node:worker_threads';
import { nativeDigest } from '../../client/verify/native-digest.js';
import { sha256, useDigest } from '../../protocol/bytes.js';
import { ready, verifySignature } from '../../protocol/signing.js';
import { leafHash, nodeHash } from '../../protocol/tree.js';

/** What one message costs at least: one signature and four hashes. */
export type BareMessage = {
  leaf: Uint8Array;
  block: Uint8Array;
  statement: Uint8Array;
  signature: Uint8Array;
  key: Uint8Array;
};

/** `hashes`: those too, not the signatures alone. */
export type BareShare = { messages: readonly BareMessage[]; hashes: boolean };

useDigest(nativeDigest);
await ready;
let left: Uint8Array = new Uint8Array(32);
const { messages, hashes } = workerData as BareShare;
parentPort?.on('message', () => {
  let good = 0;
  for (const { leaf, block, statement, signature, key } of messages) {
    if (hashes) {
      sha256(block);
      sha256(statement);
      left = nodeHash(left, leafHash(leaf));
    }
    if (verifySignature(signature, statement, key)) good += 1;
  }
  parentPort?.postMessage(good);
});
parentPort?.postMessage('ready');
