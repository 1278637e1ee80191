import { readFileSync } from 'node:fs';
import path from 'node:path';
import { TILE_WIDTH } from '../../../protocol/limits.js';
import type { Known } from './check-post.js';
import { checkTile, type TileReport } from './check-tile.js';
import {
  entryTileFile,
  hashTileFile,
  messagesFile,
  type Piece,
} from './layout.js';

function bytesOf(folder: string, name: string): Uint8Array | null {
  try {
    return readFileSync(path.join(folder, name));
  } catch {
    return null;
  }
}

/** Reads and checks one tile; made for threads, so it waits for the disk. */
export function checkTileIn(
  folder: string,
  piece: Piece,
  known: Known,
): TileReport {
  const files = {
    entries: bytesOf(folder, entryTileFile(piece)),
    hashes: bytesOf(folder, hashTileFile(0, piece)),
    messages: bytesOf(folder, messagesFile(piece.n)),
  };
  return checkTile(piece, files, piece.n * TILE_WIDTH, known);
}
