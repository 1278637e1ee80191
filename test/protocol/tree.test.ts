import fc from 'fast-check';
import { equalBytes, fromBase64, toBase64 } from '../../protocol/bytes.js';
import {
  carrierOf,
  consistencyPrefix,
  consistencyRoots,
  verifyConsistency,
} from '../../protocol/consistency.js';
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
  leafAt,
  leaves,
  lookup,
  place,
  places,
  rootAt,
  SIZE,
  sizes,
  subtrees,
} from './support/tree-of-600.js';
import { b64, must, readVectors, vectors } from './support/vectors.js';

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

/** One case of transparency-dev/merkle; which keys it has, its path says. */
type Case = Record<'leafHash' | 'root' | 'root1' | 'root2', string> &
  Record<'leafIdx' | 'treeSize' | 'size1' | 'size2' | 'size', number> &
  Record<'start' | 'end', number> & {
    proof: string[] | null;
    wantErr: boolean;
  };

const bytes = (text: string) => fromBase64(text) ?? new Uint8Array(0);

const cases = Object.entries(
  readVectors<Record<string, Case>>('merkle-proof-cases.json'),
);
const under = (folder: string) =>
  cases.filter(([path]) => path.startsWith(`${folder}/`));

function inclusion(one: Case, index: number, size: number): boolean {
  const proof = (one.proof ?? []).map(bytes);
  return verifyInclusion(
    bytes(one.leafHash),
    index,
    size,
    proof,
    bytes(one.root),
  );
}

function consistency(one: Case, from: number, to: number): boolean {
  const proof = (one.proof ?? []).map(bytes);
  return verifyConsistency(from, to, bytes(one.root1), bytes(one.root2), proof);
}

/** A subtree starts at a multiple of the power of two that holds its size. */
function isSubtree(start: number, end: number): boolean {
  let width = 1;
  while (width < end - start) width *= 2;
  return start % width === 0;
}

/** Other subtrees off the left edge are decided by plain consistency. */
function subtree(one: Case): boolean {
  const { start, end, size, root1, proof } = one;
  if (start === end) {
    return equalBytes(bytes(root1), EMPTY_ROOT) && proof?.length === 0;
  }
  if (start > 0) return isSubtree(start, end) && expect.fail('a valid one');
  return consistency(one, end, size);
}

const FOLDERS: Record<string, [count: number, verdict: (it: Case) => boolean]> =
  {
    inclusion: [98, (it) => inclusion(it, it.leafIdx, it.treeSize)],
    consistency: [98, (it) => consistency(it, it.size1, it.size2)],
    subtreeinclusion: [
      204,
      (it) =>
        isSubtree(it.start, it.end) &&
        inclusion(it, it.leafIdx - it.start, it.end - it.start),
    ],
    subtreeconsistency: [118, subtree],
  };

describe('published Merkle proof cases', () => {
  for (const [folder, [count, verdict]] of Object.entries(FOLDERS)) {
    it(`agrees with all ${count} verdicts of ${folder}`, () => {
      const list = under(folder);
      expect(list).to.have.length(count);
      for (const [path, one] of list) {
        expect(verdict(one), path).to.equal(!one.wantErr);
      }
    });
  }
});

describe('proofs of a tree', () => {
  it('proves inclusion of any leaf in any tree, and of no other leaf', () => {
    fc.assert(
      fc.property(places, fc.nat(), ({ index, size }, bit) => {
        const proof = hashesOfPlan(inclusionPlan(index, size), lookup);
        const leaf = leafAt(index);
        const root = rootAt(size);
        const verify = verifyInclusion;
        expect(verify(leaf, index, size, proof, root)).to.equal(true);
        expect(verify(rootAt(0), index, size, proof, root)).to.equal(false);
        expect(verify(leaf, index, size, [...proof, leaf], root)).to.equal(
          false,
        );
        expect(verify(leaf, size, size, proof, root)).to.equal(false);
        expect(verify(leaf, -1, size, proof, root)).to.equal(false);
        if (proof.length === 0) return;
        expect(verify(leaf, index, size, proof.slice(1), root)).to.equal(false);
        const flipped = flip(proof, bit);
        expect(verify(leaf, index, size, flipped, root)).to.equal(false);
      }),
    );
  });

  it('proves consistency of any two sizes, and of no other roots', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), ({ from, to }, bit) => {
        const proof = hashesOfPlan(consistencyPlan(from, to), lookup);
        const verify = verifyConsistency;
        const [older, newer] = [rootAt(from), rootAt(to)];
        expect(verify(from, to, older, newer, proof)).to.equal(true);
        expect(verify(from, to, rootAt(0), newer, proof)).to.equal(false);
        expect(verify(from, to, older, rootAt(0), proof)).to.equal(false);
        expect(verify(from, to, older, newer, [...proof, older])).to.equal(
          false,
        );
        if (from === to) return;
        expect(verify(to, from, newer, older, proof)).to.equal(false);
        const flipped = flip(proof, bit);
        expect(verify(from, to, older, newer, flipped)).to.equal(false);
      }),
    );
  });

  it('takes trees of one size for the same by their roots alone', () => {
    for (const size of [1, 2, 7, 300]) {
      const [root, other] = [rootAt(size), rootAt(size + 1)];
      const verify = (second: Uint8Array, proof: Uint8Array[]) =>
        verifyConsistency(size, size, root, second, proof);
      expect(verify(root, [])).to.equal(true);
      expect(verify(other, [])).to.equal(false);
      expect(verify(other, [root])).to.equal(false);
    }
  });

  it('learns each root but those of 1 and 2 from the proof that carries it', () => {
    fc.assert(
      fc.property(sizes, ({ from, to }) => {
        fc.pre(from < to);
        const proofFrom = (size: number) =>
          hashesOfPlan(consistencyPlan(size, to), lookup);
        const proof = proofFrom(carrierOf(from));
        expect(consistencyPrefix(from, to, proof)).to.deep.equal(
          from <= 2
            ? null
            : { root: rootAt(from), consistency: proofFrom(from) },
        );
        for (let cut = 0; cut < proof.length; cut += 1) {
          const short = consistencyPrefix(from, to, proof.slice(0, cut));
          const { root = rootAt(0), consistency = [] } = short ?? {};
          expect(
            verifyConsistency(from, to, root, rootAt(to), consistency),
          ).to.equal(false);
        }
      }),
    );
  });

  it('learns both roots from a proof, unless from a power of two', () => {
    fc.assert(
      fc.property(sizes, ({ from, to }) => {
        fc.pre(from < to);
        const proof = hashesOfPlan(consistencyPlan(from, to), lookup);
        const power = Number.isInteger(Math.log2(from));
        expect(consistencyRoots(from, to, proof)).to.deep.equal(
          power ? null : { from: rootAt(from), to: rootAt(to) },
        );
      }),
    );
  });

  it('plans for sizes beyond 32 bits with whole, disjoint subtrees', () => {
    fc.assert(
      fc.property(anySize, anySize, (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        fc.pre(to > 0);
        const plans = [
          rootPlan(to),
          ...inclusionPlan(Math.min(from, to - 1), to),
          ...consistencyPlan(from, to),
        ];
        for (const { level, index } of plans.flat()) {
          expect(Number.isSafeInteger(index)).to.equal(true);
          expect((index + 1) * 2 ** level).to.be.at.most(to);
        }
        const covered = rootPlan(to).reduce((sum, c) => sum + 2 ** c.level, 0);
        expect(covered).to.equal(to);
        expect(inclusionPlan(to - 1, to).length).to.be.at.most(53);
      }),
    );
  });

  it('verifies proofs in trees of nearly 2^53 leaves', () => {
    // All leaves alike: each full subtree has one hash per level.
    const level = [leafHash('same')];
    for (let at = 0; at < 53; at += 1) {
      const hash = must(level[at]);
      level.push(nodeHash(hash, hash));
    }
    const same = (coord: Coord) => must(level[coord.level]);
    fc.assert(
      fc.property(anySize, anySize, (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        fc.pre(from > 0);
        const rootOf = (size: number) => foldRoots(rootPlan(size).map(same));
        const inclusion = hashesOfPlan(inclusionPlan(from - 1, to), same);
        const leaf = same({ level: 0, index: 0 });
        const consistency = hashesOfPlan(consistencyPlan(from, to), same);
        expect(
          verifyInclusion(leaf, from - 1, to, inclusion, rootOf(to)),
        ).to.equal(true);
        expect(
          verifyConsistency(from, to, rootOf(from), rootOf(to), consistency),
        ).to.equal(true);
      }),
    );
  });

  it('says at once when it is asked for an impossible plan', () => {
    expect(() => inclusionPlan(5, 5)).to.throw(RangeError);
    expect(() => inclusionPlan(-1, 5)).to.throw(RangeError);
    expect(() => inclusionPlan(0, 2 ** 53)).to.throw(RangeError);
    expect(() => consistencyPlan(6, 5)).to.throw(RangeError);
    expect(() => consistencyPlan(1.5, 5)).to.throw(RangeError);
    expect(consistencyPlan(0, 5)).to.deep.equal([]);
  });

  for (const [from, to] of [
    [0, 5],
    [-1, 5],
    [Number.NaN, 5],
    [1.5, 5],
    [3, Number.POSITIVE_INFINITY],
    [3, 2 ** 53],
  ] as const) {
    it(`refuses consistency from ${from} to ${to}`, () => {
      const root = rootAt(5);
      expect(verifyConsistency(from, to, root, root, [])).to.equal(false);
      expect(verifyConsistency(from, to, root, root, [root])).to.equal(false);
      expect(consistencyRoots(from, to, [root])).to.equal(null);
    });
  }
});

function flip(proof: Uint8Array[], bit: number): Uint8Array[] {
  const copy = proof.map((hash) => hash.slice());
  const hash = must(copy[bit % copy.length]);
  const at = bit % 32;
  hash[at] = must(hash[at]) ^ (1 << (bit % 8));
  return copy;
}
