import fc from 'fast-check';
import { u64be } from '../../../protocol/bytes.js';
import {
  appendLeaf,
  type Coord,
  emptyFrontier,
  frontierRoot,
  leafHash,
  type TreeNode,
} from '../../../protocol/tree.js';
import { must } from './vectors.js';

export const SIZE = 600;
export const place = ({ level, index }: Coord) => `${level}/${index}`;
export const leaves = Array.from({ length: SIZE }, (_, at) =>
  leafHash(u64be(at)),
);

export const frontiers = [emptyFrontier()];
/** What appending the leaves gave to store, in that order. */
export const subtrees: TreeNode[] = [];

const nodes = new Map<string, Uint8Array>();
for (const [index, hash] of leaves.entries()) {
  nodes.set(place({ level: 0, index }), hash);
  const appended = appendLeaf(must(frontiers.at(-1)), hash);
  for (const node of appended.nodes) nodes.set(place(node), node.hash);
  subtrees.push(...appended.nodes);
  frontiers.push(appended.frontier);
}
const roots = frontiers.map(frontierRoot);

export const lookup = (coord: Coord) => must(nodes.get(place(coord)));
export const rootAt = (size: number) => must(roots[size]);
export const leafAt = (index: number) => must(leaves[index]);

export const sizes = fc
  .tuple(fc.integer({ min: 1, max: SIZE }), fc.integer({ min: 1, max: SIZE }))
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
export const places = sizes.map(({ from, to }) => ({
  index: from - 1,
  size: to,
}));
