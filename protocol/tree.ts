import { concat, sha256, utf8 } from './bytes.js';

/** RFC 6962 section 2.1, the same as RFC 9162's. */
export const EMPTY_ROOT: Uint8Array = sha256(new Uint8Array(0));
export const HASH_BYTES = 32;
const LEAF = Uint8Array.of(0);

/** 2^level leaves, the index-th of its level. Level 0 are leaf hashes. */
export type Coord = { level: number; index: number };
export type TreeNode = Coord & { hash: Uint8Array };

/** `SHA256(0x00 ‖ leaf)`. */
export function leafHash(leaf: Uint8Array | string): Uint8Array {
  return typeof leaf === 'string'
    ? sha256(utf8(`\0${leaf}`))
    : sha256(LEAF, leaf);
}

/** `SHA256(0x01 ‖ left ‖ right)`. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + 2 * HASH_BYTES);
  bytes[0] = 1;
  bytes.set(left, 1);
  bytes.set(right, 1 + HASH_BYTES);
  return sha256(bytes);
}

/** Of full subtrees, largest first. */
export function foldRoots(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return EMPTY_ROOT;
  return hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** Sizes go to 2^53 - 1: no 32 bit operation may touch them. */
export function isTreeSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** The largest power of two below `size`, which MUST be 2 or more. */
export function splitPoint(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** Roots of the full subtrees, largest first: one per binary one of `size`. */
export type Frontier = { size: number; hashes: Uint8Array[] };
export type Appended = { frontier: Frontier; nodes: TreeNode[] };

export function emptyFrontier(): Frontier {
  return { size: 0, hashes: [] };
}

/**
 * `nodes`: full subtrees of level 1 and up that it completes, smallest first: n
 * leaves make n - popcount(n).
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

/** Of an empty tree the hash of nothing. */
export function frontierRoot(frontier: Frontier): Uint8Array {
  return foldRoots(frontier.hashes);
}

/** 32 bytes each. */
export function encodeFrontier(frontier: Frontier): Uint8Array {
  return concat(...frontier.hashes);
}

/**
 * `bytes` MUST fit `size`.
 * @throws RangeError for a damaged store
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
