import { utf8 } from './bytes.js';
import { sha256 } from './hash.js';

/** The Merkle tree of RFC 6962 section 2.1, the same as RFC 9162's. */
export const EMPTY_ROOT: Uint8Array = sha256(new Uint8Array(0));
export const HASH_BYTES = 32;
const LEAF = Uint8Array.of(0);

/**
 * A full subtree: 2^level leaves, the index-th of its level from the left.
 * Level 0 are the leaf hashes.
 */
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

/**
 * The root over full subtrees of falling size: a right fold, so that the
 * tree splits at the largest power of two smaller than its size.
 */
export function foldRoots(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return EMPTY_ROOT;
  return hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** Sizes go to 2^53 - 1: no 32 bit operation may touch them. */
export function isTreeSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** The largest power of two smaller than `size`, which MUST be 2 or more. */
export function splitPoint(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}
