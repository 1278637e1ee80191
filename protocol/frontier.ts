import { concat } from './bytes.js';
import { foldRoots, HASH_BYTES, nodeHash, type TreeNode } from './tree.js';

/**
 * What appending needs of a tree: the roots of its full subtrees, the largest
 * first, one per binary one of `size` (at most 53 of 32 bytes).
 */
export type Frontier = { size: number; hashes: Uint8Array[] };
export type Appended = { frontier: Frontier; nodes: TreeNode[] };

export function emptyFrontier(): Frontier {
  return { size: 0, hashes: [] };
}

/**
 * Appends a leaf hash. `nodes` are the full subtrees of level 1 and up that
 * this leaf completed, smallest first: n leaves make n - popcount(n) of them.
 */
export function appendLeaf(frontier: Frontier, leaf: Uint8Array): Appended {
  const hashes = [...frontier.hashes];
  const nodes: TreeNode[] = [];
  let hash = leaf;
  let level = 0;
  let index = frontier.size;
  while (index % 2 === 1) {
    const left = hashes.pop();
    if (left === undefined) throw new RangeError('frontier lacks a hash');
    hash = nodeHash(left, hash);
    level += 1;
    index = (index - 1) / 2;
    nodes.push({ level, index, hash });
  }
  hashes.push(hash);
  return { frontier: { size: frontier.size + 1, hashes }, nodes };
}

/** The root hash of the tree; for an empty one the hash of nothing. */
export function frontierRoot(frontier: Frontier): Uint8Array {
  return foldRoots(frontier.hashes);
}

/** The hashes, one after the other: 32 bytes each. */
export function encodeFrontier(frontier: Frontier): Uint8Array {
  return concat(...frontier.hashes);
}

/**
 * The inverse of `encodeFrontier`. `bytes` come from the caller's own store
 * and MUST fit `size`; a RangeError says that the store is damaged.
 */
export function decodeFrontier(size: number, bytes: Uint8Array): Frontier {
  let ones = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  if (bytes.length !== ones * HASH_BYTES) {
    throw new RangeError('frontier does not fit its size');
  }
  const hashes = Array.from({ length: ones }, (_, at) =>
    bytes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
  return { size, hashes };
}
