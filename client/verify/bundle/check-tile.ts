import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { equalBytes, fromUtf8 } from '../../../protocol/bytes.js';
import { readLeaf } from '../../../protocol/entry.js';
import { TILE_WIDTH } from '../../../protocol/limits.js';
import { decodeEntryBundle } from '../../../protocol/tile.js';
import { HASH_BYTES, leafHash } from '../../../protocol/tree.js';
import { checkPost, type Known, type PostFacts } from './check-post.js';
import { addFault, type Faults, noFaults } from './faults.js';
import {
  entryTileFile,
  hashTileFile,
  messagesFile,
  type Piece,
} from './layout.js';
import { subtrees } from './tree-tiles.js';

/**
 * For the whole log: posts, roots of full subtrees (one of level 8 for a full
 * tile), first and last `at`.
 */
export type TileReport = {
  n: number;
  posts: PostFacts[];
  roots: Uint8Array[];
  from: number;
  until: number;
  faults: Faults;
};

/** Null without the file. Only ordinary files: a pipe might never end. */
export async function bytesIn(
  folder: string,
  name: string,
): Promise<Uint8Array | null> {
  try {
    const file = path.join(folder, name);
    return (await stat(file)).isFile() ? await readFile(file) : null;
  } catch {
    return null;
  }
}

export async function checkTile(
  folder: string,
  piece: Piece,
  known: Known,
): Promise<TileReport> {
  const { n, width } = piece;
  const first = n * TILE_WIDTH;
  const entries = await bytesIn(folder, entryTileFile(piece));
  const hashes = await bytesIn(folder, hashTileFile(0, piece));
  const messages = await bytesIn(folder, messagesFile(n));
  const faults = noFaults();
  const report: TileReport = {
    n,
    posts: [],
    roots: [],
    from: 0,
    until: 0,
    faults,
  };
  const leaves = entries === null ? null : decodeEntryBundle(entries);
  if (!leaves?.ok || leaves.value.length !== width) {
    addFault(faults, 'tiles', first, 'a tile of entries is not whole');
    return report;
  }
  report.roots = treeOf(leaves.value, hashes, first, faults);
  const lines = (messages === null ? null : fromUtf8(messages))?.split('\n');
  if (lines?.pop() !== '') {
    addFault(faults, 'layout', first, 'a file of messages is not whole');
  }
  let line = 0;
  for (const [at, leaf] of leaves.value.entries()) {
    const index = first + at;
    const text = fromUtf8(leaf) ?? '';
    const read = readLeaf(text);
    if (!read.ok) {
      addFault(faults, 'entry', index, 'an entry is not well formed');
      continue;
    }
    const { entry, post } = read.value;
    const { at: time } = entry;
    if (time < report.until) addFault(faults, 'order', index, 'time goes back');
    if (report.from === 0) report.from = time;
    report.until = Math.max(report.until, time);
    if (entry.type !== 'post' || post === null) continue;
    const logged = { index, entry, post };
    // ASCII before the signature: a UTF-16 unit is a byte.
    const from = text.length - entry.embedded.length;
    const signed = leaf.subarray(from, from + post.text.length);
    report.posts.push(checkPost(logged, signed, lines?.[line], known, faults));
    line += 1;
  }
  if ((lines?.length ?? 0) > line) {
    addFault(faults, 'message', first, 'there are more messages than posts');
  }
  return report;
}

function treeOf(
  leaves: readonly Uint8Array[],
  hashes: Uint8Array | null,
  first: number,
  faults: Faults,
): Uint8Array[] {
  const own = leaves.map(leafHash);
  const same =
    hashes?.length === own.length * HASH_BYTES &&
    own.every((hash, at) => {
      const shown = hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
      return equalBytes(shown, hash);
    });
  if (!same) {
    addFault(faults, 'tiles', first, 'a tile of hashes is not of its entries');
  }
  return subtrees(own);
}
