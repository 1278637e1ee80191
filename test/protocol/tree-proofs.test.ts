import { expect } from 'chai';
import fc from 'fast-check';
import {
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
  type Coord,
  foldRoots,
  leafHash,
  nodeHash,
} from '../../protocol/tree.js';
import { size as anySize } from './support/arbitraries.js';
import {
  leafAt,
  lookup,
  places,
  rootAt,
  sizes,
} from './support/tree-of-600.js';
import { must } from './support/vectors.js';

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
