import { type Coord, foldRoots, isTreeSize, splitPoint } from './tree.js';

/**
 * Which stored subtrees a proof needs. Each proof hash is the right fold of
 * one list of full subtrees; fetch all of them at once, then call
 * `hashesOfPlan`.
 */
export type Plan = Coord[][];

/** The full subtrees, largest first, of the `size` leaves from `start` on. */
function cover(start: number, size: number): Coord[] {
  const coords: Coord[] = [];
  let from = start;
  let rest = size;
  let width = 1;
  let level = 0;
  while (width * 2 <= rest) {
    width *= 2;
    level += 1;
  }
  for (; rest > 0; width /= 2, level -= 1) {
    if (width > rest) continue;
    coords.push({ level, index: from / width });
    from += width;
    rest -= width;
  }
  return coords;
}

/** The full subtrees whose right fold is the root of a tree of `size`. */
export function rootPlan(size: number): Coord[] {
  return cover(0, size);
}

/**
 * PATH(index, D[size]) of RFC 6962 section 2.1.1. MUST hold: index < size;
 * a RangeError otherwise.
 */
export function inclusionPlan(index: number, size: number): Plan {
  if (!isTreeSize(index) || !isTreeSize(size) || index >= size) {
    throw new RangeError('index lies outside the tree');
  }
  const plan: Plan = [];
  let start = 0;
  let width = size;
  while (width > 1) {
    const split = splitPoint(width);
    if (index - start < split) {
      plan.push(cover(start + split, width - split));
      width = split;
    } else {
      plan.push(cover(start, split));
      start += split;
      width -= split;
    }
  }
  return plan.reverse();
}

/**
 * PROOF(from, D[to]) of RFC 6962 section 2.1.2; empty from size 0, where any
 * tree is consistent. MUST hold: from <= to; a RangeError otherwise.
 */
export function consistencyPlan(from: number, to: number): Plan {
  if (!isTreeSize(from) || !isTreeSize(to) || from > to) {
    throw new RangeError('sizes are out of order');
  }
  if (from === 0 || from === to) return [];
  const plan: Plan = [];
  let start = 0;
  let width = to;
  while (start + width !== from) {
    const split = splitPoint(width);
    if (from - start <= split) {
      plan.push(cover(start + split, width - split));
      width = split;
    } else {
      plan.push(cover(start, split));
      start += split;
      width -= split;
    }
  }
  // From the left edge the verifier knows this subtree: it is the old root.
  if (start > 0) plan.push(cover(start, width));
  return plan.reverse();
}

/** The hashes of a proof; `lookup` MUST know every subtree of the plan. */
export function hashesOfPlan(
  plan: Plan,
  lookup: (coord: Coord) => Uint8Array,
): Uint8Array[] {
  return plan.map((coords) => foldRoots(coords.map(lookup)));
}
