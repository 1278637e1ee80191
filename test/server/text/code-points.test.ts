import { expect } from 'chai';
import fc from 'fast-check';
import {
  codePointIndex,
  countCodePoints,
  cutCodePoints,
  sliceCodePoints,
  unitIndex,
} from '../../../server/http/code-points.js';

// 'grapheme' and 'binary' units, and halves of pairs on their own.
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', '😀', '\ud800', '\udc00', 'é') }),
);

describe('code points', () => {
  it('are counted as the language iterates them', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(countCodePoints(text)).to.equal([...text].length);
      }),
    );
  });

  it('are cut as the language iterates them', () => {
    fc.assert(
      fc.property(texts, fc.nat(30), (text, n) => {
        const wanted = [...text].slice(0, n).join('');
        expect(cutCodePoints(text, n)).to.equal(wanted);
      }),
    );
  });

  it('are sliced as the language iterates them', () => {
    fc.assert(
      fc.property(texts, fc.nat(20), fc.nat(20), (text, start, n) => {
        const wanted = [...text].slice(start, start + n).join('');
        expect(sliceCodePoints(text, start, n)).to.equal(wanted);
      }),
    );
  });

  it('have unit indexes that lead back to them', () => {
    fc.assert(
      fc.property(texts, fc.nat(30), (text, index) => {
        const there = Math.min(index, [...text].length);
        expect(codePointIndex(text, unitIndex(text, index))).to.equal(there);
      }),
    );
  });

  it('never lose half of a pair to a cut', () => {
    expect(cutCodePoints('a😀b', 2)).to.equal('a😀');
    expect(cutCodePoints('😀😀', 1)).to.equal('😀');
    expect(cutCodePoints('😀', 0)).to.equal('');
    expect(countCodePoints('😀')).to.equal(1);
  });
});
