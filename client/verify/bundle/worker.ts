import { parentPort, workerData } from 'node:worker_threads';
import { useDigest } from '../../../protocol/hash.js';
import { ready } from '../../../protocol/signing.js';
import { nativeDigest } from '../native-digest.js';
import type { Known } from './check-post.js';
import { checkTileIn } from './check-tile-in.js';
import type { Piece } from './layout.js';

/** What a thread is told: the folder at once, then what is known, then tiles. */
export type WorkerData = { folder: string };
export type Task = { known: Known } | { piece: Piece };

const { folder } = workerData as WorkerData;
let known: Known | null = null;

useDigest(nativeDigest);
await ready;
parentPort?.on('message', (task: Task) => {
  if ('known' in task) known = task.known;
  else if (known === null) throw new Error('a tile before what is known');
  else parentPort?.postMessage(checkTileIn(folder, task.piece, known));
});
