import { expect } from 'chai';
import fc from 'fast-check';
import { toBase64 } from '../../protocol/bytes.js';
import { verifyConsistency } from '../../protocol/consistency.js';
import { verifyInclusion } from '../../protocol/inclusion.js';
import {
  consistencyPlan,
  hashesOfPlan,
  inclusionPlan,
  rootPlan,
} from '../../protocol/plan.js';
import {
  appendLeaf,
  type Coord,
  decodeFrontier,
  EMPTY_ROOT,
  emptyFrontier,
  encodeFrontier,
  foldRoots,
  frontierRoot,
  leafHash,
  nodeHash,
} from '../../protocol/tree.js';
import { size as anySize } from './support/arbitraries.js';
import {
  frontiers,
  leaves,
  lookup,
  place,
  rootAt,
  SIZE,
  subtrees,
} from './support/tree-of-600.js';
import { b64, must, vectors } from './support/vectors.js';

/** The definition of RFC 6962 section 2.1, word for word. */
function naiveRoot(hashes: Uint8Array[]): Uint8Array {
  const [only] = hashes;
  if (only === undefined) return EMPTY_ROOT;
  if (hashes.length === 1) return only;
  let k = 1;
  while (k * 2 < hashes.length) k *= 2;
  return nodeHash(naiveRoot(hashes.slice(0, k)), naiveRoot(hashes.slice(k)));
}

describe('tree', () => {
  it('has the roots, leaf hashes and proofs of the vectors', () => {
    const { log } = vectors;
    let frontier = emptyFrontier();
    expect(toBase64(EMPTY_ROOT)).to.equal(log.roots_by_size_b64[0]);
    for (const { leaf, leaf_hash_b64, index } of log.leaves) {
      const hash = leafHash(leaf);
      expect(toBase64(hash)).to.equal(leaf_hash_b64);
      frontier = appendLeaf(frontier, hash).frontier;
      const root = toBase64(frontierRoot(frontier));
      expect(root).to.equal(log.roots_by_size_b64[index + 1]);
    }
  });

  it('makes and verifies every inclusion proof of the vectors', () => {
    const { inclusion, leaves, roots_by_size_b64 } = vectors.log;
    const subtrees = vectorNodes();
    expect(inclusion.length).to.be.greaterThan(20);
    for (const { index, size, hashes_b64 } of inclusion) {
      const made = hashesOfPlan(inclusionPlan(index, size), subtrees);
      expect(made.map(toBase64)).to.deep.equal(hashes_b64);
      const leaf = b64(must(leaves[index]).leaf_hash_b64);
      const root = b64(must(roots_by_size_b64[size]));
      expect(verifyInclusion(leaf, index, size, made, root)).to.equal(true);
    }
  });

  it('makes and verifies every consistency proof of the vectors', () => {
    const { consistency, roots_by_size_b64 } = vectors.log;
    const subtrees = vectorNodes();
    expect(consistency.length).to.be.greaterThan(20);
    for (const { from, to, hashes_b64 } of consistency) {
      const made = hashesOfPlan(consistencyPlan(from, to), subtrees);
      expect(made.map(toBase64)).to.deep.equal(hashes_b64);
      const older = b64(must(roots_by_size_b64[from]));
      const newer = b64(must(roots_by_size_b64[to]));
      expect(verifyConsistency(from, to, older, newer, made)).to.equal(true);
    }
  });

  it('gives the frontier the root of the definition up to size 600', () => {
    for (let size = 0; size <= SIZE; size += 1) {
      expect(rootAt(size)).to.deep.equal(naiveRoot(leaves.slice(0, size)));
      const planned = foldRoots(rootPlan(size).map(lookup));
      expect(planned).to.deep.equal(rootAt(size));
    }
  });

  it('stores n - popcount(n) subtrees above the leaves, each once', () => {
    const ones = SIZE.toString(2).replaceAll('0', '').length;
    expect(subtrees).to.have.length(SIZE - ones);
    expect(new Set(subtrees.map(place)).size).to.equal(SIZE - ones);
    expect(Math.min(...subtrees.map(({ level }) => level))).to.equal(1);
  });

  it('reads back a frontier, and only one that fits its size', () => {
    for (const frontier of frontiers) {
      const encoded = encodeFrontier(frontier);
      expect(decodeFrontier(frontier.size, encoded)).to.deep.equal(frontier);
      expect(() => decodeFrontier(frontier.size * 2 + 1, encoded)).to.throw(
        RangeError,
      );
    }
  });

  it('appends to trees of nearly 2^53 leaves', () => {
    const zero = new Uint8Array(32);
    fc.assert(
      fc.property(anySize, (size) => {
        fc.pre(size < Number.MAX_SAFE_INTEGER);
        const hashes = rootPlan(size).map(() => zero);
        const { frontier, nodes } = appendLeaf({ size, hashes }, zero);
        expect(frontier.size).to.equal(size + 1);
        const places = nodes.map(({ level, index }) => ({ level, index }));
        const completed = Array.from({ length: 53 }, (_, at) => ({
          level: at + 1,
          index: (size + 1) / 2 ** (at + 1) - 1,
        })).filter(({ index }) => Number.isInteger(index));
        expect(places).to.deep.equal(completed);
        expect(frontier.hashes).to.have.length(rootPlan(size + 1).length);
      }),
    );
  });
});

function vectorNodes(): (coord: Coord) => Uint8Array {
  const known = new Map<string, Uint8Array>();
  let frontier = emptyFrontier();
  for (const { leaf } of vectors.log.leaves) {
    const hash = leafHash(leaf);
    known.set(place({ level: 0, index: frontier.size }), hash);
    const appended = appendLeaf(frontier, hash);
    for (const node of appended.nodes) known.set(place(node), node.hash);
    frontier = appended.frontier;
  }
  return (coord) => must(known.get(place(coord)));
}
