import { type Coord, foldRoots, isTreeSize, splitPoint } from './tree.js';

/** Fetch all subtrees of the lists, then call `hashesOfPlan`. */
export type Plan = Coord[][];

/** Full subtrees of `size` leaves from `start` on, largest first. */
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

/** Their right fold is the root. */
export function rootPlan(size: number): Coord[] {
  return cover(0, size);
}

/**
 * PATH(index, D[size]) of RFC 6962 section 2.1.1.
 * @throws RangeError unless index < size
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
 * PROOF(from, D[to]) of RFC 6962 section 2.1.2; empty from size 0.
 * @throws RangeError unless from <= to
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
  // At the left edge it is the old root, which the verifier knows.
  if (start > 0) plan.push(cover(start, width));
  return plan.reverse();
}

/** `lookup` MUST know every subtree of the plan. */
export function hashesOfPlan(
  plan: Plan,
  lookup: (coord: Coord) => Uint8Array,
): Uint8Array[] {
  return plan.map((coords) => foldRoots(coords.map(lookup)));
}
