import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { TILE_WIDTH } from '../../../protocol/limits.js';
import { ready } from '../../../protocol/signing.js';
import type { Known } from './check-post.js';
import { checkTile } from './check-tile.js';
import {
  entryTileFile,
  hashTileFile,
  messagesFile,
  type Piece,
} from './layout.js';

/** What every worker gets once. */
export type WorkerData = { folder: string; known: Known };

const { folder, known } = workerData as WorkerData;

function fileOrNull(name: string): Uint8Array | null {
  try {
    return readFileSync(path.join(folder, name));
  } catch {
    return null;
  }
}

await ready;
parentPort?.on('message', (piece: Piece) => {
  const files = {
    entries: fileOrNull(entryTileFile(piece)),
    hashes: fileOrNull(hashTileFile(0, piece)),
    messages: fileOrNull(messagesFile(piece.n)),
  };
  const first = piece.n * TILE_WIDTH;
  parentPort?.postMessage(checkTile(piece, files, first, known));
});
