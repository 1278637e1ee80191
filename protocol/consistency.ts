import { equalBytes } from './bytes.js';
import { HASH_BYTES, isTreeSize, nodeHash } from './tree.js';

export type ConsistencyRoots = { from: Uint8Array; to: Uint8Array };

/** RFC 9162 section 2.1.4.2, from the first known subtree on. */
function climb(
  from: number,
  to: number,
  seed: Uint8Array,
  path: readonly Uint8Array[],
): ConsistencyRoots | null {
  let at = from - 1;
  let last = to - 1;
  while (at % 2 === 1) {
    at = (at - 1) / 2;
    last = Math.floor(last / 2);
  }
  let older = seed;
  let newer = seed;
  for (const hash of path) {
    if (last === 0 || hash.length !== HASH_BYTES) return null;
    if (at % 2 === 1 || at === last) {
      older = nodeHash(hash, older);
      newer = nodeHash(hash, newer);
      while (at % 2 === 0 && at !== 0) {
        at /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      newer = nodeHash(newer, hash);
    }
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? { from: older, to: newer } : null;
}

function isPowerOfTwo(size: number): boolean {
  let power = 1;
  while (power < size) power *= 2;
  return power === size;
}

/**
 * Roots that a consistency proof states, unverified (spec/mesh.md §B7 step 4,
 * B8). Null for a malformed proof, or where `from` is a power of two: its proof
 * lacks the old root.
 */
export function consistencyRoots(
  from: number,
  to: number,
  proof: readonly Uint8Array[],
): ConsistencyRoots | null {
  if (!isTreeSize(from) || !isTreeSize(to) || from >= to) return null;
  const [seed, ...path] = proof;
  if (from < 1 || isPowerOfTwo(from)) return null;
  if (seed === undefined || seed.length !== HASH_BYTES) return null;
  return climb(from, to, seed, path);
}

/** A smaller tree's root, and its proof to a larger one. */
export type ConsistencyPrefix = { root: Uint8Array; consistency: Uint8Array[] };

/**
 * The size whose consistency proof carries the root of `size`: itself, or one
 * less for powers of two from 4 on. Proofs from 1 or 2 carry none (spec/mesh.md
 * §B8.2).
 */
export function carrierOf(size: number): number {
  return size > 2 && isPowerOfTwo(size) ? size - 1 : size;
}

/** From the unverified proof from `carrierOf(size)`; null without a root. */
export function consistencyPrefix(
  size: number,
  to: number,
  proof: readonly Uint8Array[],
): ConsistencyPrefix | null {
  const carrier = carrierOf(size);
  if (carrier === size) {
    const roots = consistencyRoots(size, to, proof);
    return roots && { root: roots.from, consistency: [...proof] };
  }
  // For 2^k - 1 leaves: the last leaf, the next one, and k - 1 full subtrees.
  const used = Math.log2(size) + 1;
  const roots = consistencyRoots(carrier, size, proof.slice(0, used));
  return roots && { root: roots.to, consistency: proof.slice(used) };
}

/**
 * Whether the tree of `to` leaves begins with that of `from`. Equal sizes need
 * equal roots and an empty proof; size 0 is false.
 */
export function verifyConsistency(
  from: number,
  to: number,
  fromRoot: Uint8Array,
  toRoot: Uint8Array,
  proof: readonly Uint8Array[],
): boolean {
  if (!isTreeSize(from) || !isTreeSize(to)) return false;
  if (from < 1 || from > to) return false;
  if (from === to) return proof.length === 0 && equalBytes(fromRoot, toRoot);
  if (fromRoot.length !== HASH_BYTES) return false;
  const roots = isPowerOfTwo(from)
    ? climb(from, to, fromRoot, proof)
    : consistencyRoots(from, to, proof);
  if (roots === null) return false;
  return equalBytes(roots.from, fromRoot) && equalBytes(roots.to, toRoot);
}
