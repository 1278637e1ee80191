import { concat } from '../../../protocol/bytes.js';
import { TILE_WIDTH } from '../../../protocol/limits.js';
import {
  appendLeaf,
  emptyFrontier,
  foldRoots,
} from '../../../protocol/tree.js';
import { hashTileFile, tileLevels } from './layout.js';

/**
 * Root and hash tiles of level 1 and up, from the tiles' roots (tree level 8).
 * `rest`: full subtrees of the last partial tile.
 */
export function upperTree(
  size: number,
  tileRoots: readonly Uint8Array[],
  rest: readonly Uint8Array[],
): { tiles: Map<string, Uint8Array>; root: Uint8Array } {
  const tiles = new Map<string, Uint8Array>();
  let hashes = [...tileRoots];
  let right = [...rest];
  for (const [level, layout] of tileLevels(size).entries()) {
    if (level === 0) continue;
    for (const piece of layout) {
      const at = piece.n * TILE_WIDTH;
      const own = hashes.slice(at, at + piece.width);
      tiles.set(hashTileFile(level, piece), concat(...own));
    }
    const whole = hashes.length - (hashes.length % TILE_WIDTH);
    right = [...subtrees(hashes.slice(whole)), ...right];
    hashes = fullRoots(hashes.slice(0, whole));
  }
  return { tiles, root: foldRoots([...subtrees(hashes), ...right]) };
}

/** Per 256. */
function fullRoots(hashes: readonly Uint8Array[]): Uint8Array[] {
  const roots: Uint8Array[] = [];
  for (let at = 0; at < hashes.length; at += TILE_WIDTH) {
    roots.push(foldRoots(subtrees(hashes.slice(at, at + TILE_WIDTH))));
  }
  return roots;
}

/** Over equally high ones, largest first. */
export function subtrees(hashes: readonly Uint8Array[]): Uint8Array[] {
  let frontier = emptyFrontier();
  for (const hash of hashes) frontier = appendLeaf(frontier, hash).frontier;
  return frontier.hashes;
}
