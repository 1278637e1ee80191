import { equalBytes } from './bytes.js';
import { HASH_BYTES, isTreeSize, nodeHash } from './tree.js';

/** RFC 9162 section 2.1.3.2: the leaf is at `index` of the tree. */
export function verifyInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!isTreeSize(index) || !isTreeSize(size) || index >= size) return false;
  if (leaf.length !== HASH_BYTES) return false;
  let hash = leaf;
  let at = index;
  let last = size - 1;
  for (const sibling of proof) {
    if (last === 0 || sibling.length !== HASH_BYTES) return false;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash);
      while (at % 2 === 0 && at !== 0) {
        at /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = nodeHash(hash, sibling);
    }
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && equalBytes(hash, root);
}
