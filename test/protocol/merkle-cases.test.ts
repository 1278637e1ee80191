import { expect } from 'chai';
import { equalBytes, fromBase64 } from '../../protocol/bytes.js';
import { verifyConsistency } from '../../protocol/consistency.js';
import { verifyInclusion } from '../../protocol/inclusion.js';
import { EMPTY_ROOT } from '../../protocol/tree.js';
import { readVectors } from './support/vectors.js';

/** One case of transparency-dev/merkle; which keys it has, its path says. */
type Case = {
  leafIdx: number;
  treeSize: number;
  leafHash: string;
  root: string;
  size1: number;
  size2: number;
  start: number;
  end: number;
  size: number;
  root1: string;
  root2: string;
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

/**
 * Of subtrees off the left edge the cases hold only empty and invalid ones,
 * so plain consistency decides all the others.
 */
function subtree(one: Case): boolean {
  const { start, end, size, root1, proof } = one;
  if (start === end) {
    return equalBytes(bytes(root1), EMPTY_ROOT) && proof?.length === 0;
  }
  if (start > 0) return isSubtree(start, end) && expect.fail('a valid one');
  return consistency(one, end, size);
}

describe('published Merkle proof cases', () => {
  it('agrees with all 98 inclusion verdicts', () => {
    const list = under('inclusion');
    expect(list).to.have.length(98);
    for (const [path, one] of list) {
      const verdict = inclusion(one, one.leafIdx, one.treeSize);
      expect(verdict, path).to.equal(!one.wantErr);
    }
  });

  it('agrees with all 98 consistency verdicts', () => {
    const list = under('consistency');
    expect(list).to.have.length(98);
    for (const [path, one] of list) {
      const verdict = consistency(one, one.size1, one.size2);
      expect(verdict, path).to.equal(!one.wantErr);
    }
  });

  it('agrees with all 204 verdicts on leaves of a subtree', () => {
    const list = under('subtreeinclusion');
    expect(list).to.have.length(204);
    for (const [path, one] of list) {
      const { start, end, leafIdx } = one;
      const verdict =
        isSubtree(start, end) && inclusion(one, leafIdx - start, end - start);
      expect(verdict, path).to.equal(!one.wantErr);
    }
  });

  it('agrees with all 118 consistency verdicts on subtrees', () => {
    const list = under('subtreeconsistency');
    expect(list).to.have.length(118);
    for (const [path, one] of list) {
      expect(subtree(one), path).to.equal(!one.wantErr);
    }
  });
});
