import { parentPort, workerData } from 'node:worker_threads';
import { ready } from '../../../protocol/signing.js';
import type { Known } from './check-post.js';
import { checkTileIn } from './check-tile-in.js';
import type { Piece } from './layout.js';

/** What every worker gets once. */
export type WorkerData = { folder: string; known: Known };

const { folder, known } = workerData as WorkerData;

await ready;
parentPort?.on('message', (piece: Piece) => {
  parentPort?.postMessage(checkTileIn(folder, piece, known));
});
