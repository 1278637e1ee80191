import { expect } from 'chai';
import fc from 'fast-check';
import {
  CASE_FOLDING_VERSION,
  COMMON,
  FULL,
  fold,
} from '../../../protocol/fold.js';

const TABLE: readonly (readonly [string, string, string])[] = [
  ['A', 'a', 'ASCII'],
  ['Z', 'z', 'the last of ASCII'],
  ['@[`{', '@[`{', 'the neighbours of ASCII letters'],
  ['É', 'é', 'Latin-1'],
  ['e\u0301', 'e\u0301', 'a decomposed letter stays decomposed'],
  ['E\u0301', 'e\u0301', 'only the base of a decomposed letter changes'],
  ['ß', 'ss', 'sharp s'],
  ['ẞ', 'ss', 'capital sharp s, which lower case would make ß'],
  ['ﬀ', 'ff', 'a ligature'],
  ['ﬃ', 'ffi', 'a ligature of three'],
  ['İ', 'i\u0307', 'dotted capital I, status F and not T'],
  ['I', 'i', 'capital I, status C and not T'],
  ['ı', 'ı', 'dotless i has no folding'],
  ['ς', 'σ', 'final sigma'],
  ['Σ', 'σ', 'capital sigma, whatever follows'],
  ['ΑΣ', 'ασ', 'capital sigma at a word end'],
  ['ſ', 's', 'long s'],
  ['K', 'k', 'the Kelvin sign'],
  ['Å', 'å', 'the Angstrom sign'],
  ['µ', 'μ', 'the micro sign'],
  ['ŉ', 'ʼn', 'n with an apostrophe'],
  ['\u01f0', 'j\u030c', 'j with a caron'],
  ['ᾳ', 'αι', 'iota subscript, status F and not S'],
  ['ᾼ', 'αι', 'its capital'],
  ['և', 'եւ', 'an Armenian ligature'],
  ['Ꭰ', 'Ꭰ', 'Cherokee folds to its capitals'],
  ['ꭰ', 'Ꭰ', 'small Cherokee'],
  ['Ა', 'ა', 'Georgian'],
  ['Ж', 'ж', 'Cyrillic'],
  ['𐐀', '𐐨', 'beyond the BMP'],
  ['𞤀', '𞤢', 'Adlam'],
  ['漢字かなカナ한글', '漢字かなカナ한글', 'scripts without case'],
  ['Ⅷ', 'ⅷ', 'a Roman numeral'],
  ['Ａ', 'ａ', 'full width stays full width'],
  ['😀', '😀', 'an emoji'],
  ['', '', 'nothing'],
];

/** The committed table read independently: every entry, code points. */
function entries(): Map<number, string> {
  const hex = (text: string) => Number.parseInt(text, 16);
  const all = new Map<number, string>();
  const pattern = /([0-9a-f]+)(?:-([0-9a-f]+))?(\/2)?:([0-9a-f]+)/g;
  for (const [, first = '', last, step, to = ''] of COMMON.matchAll(pattern)) {
    for (let at = hex(first); at <= hex(last ?? first); at += step ? 2 : 1) {
      all.set(at, String.fromCodePoint(at - hex(first) + hex(to)));
    }
  }
  for (const item of FULL.trim().split(/\s/)) {
    const [from = '', to = ''] = item.split(':');
    all.set(hex(from), String.fromCodePoint(...to.split('+').map(hex)));
  }
  return all;
}

const scalar = fc.string({ unit: 'binary' });

describe('fold', () => {
  for (const [from, to, what] of TABLE) {
    it(`folds ${JSON.stringify(from)}: ${what}`, () => {
      expect(fold(from)).to.equal(to);
    });
  }

  it('holds the 1,585 entries C and F of Unicode 17', () => {
    expect(CASE_FOLDING_VERSION).to.equal('17.0.0');
    expect(entries().size).to.equal(1585);
    expect(FULL.trim().split(/\s/)).to.have.length(104);
  });

  it('folds every code point as the table says and no other', () => {
    const table = entries();
    const wrong: number[] = [];
    for (let at = 0; at <= 0x10ffff; at += 1) {
      if (at >= 0xd800 && at <= 0xdfff) continue;
      const character = String.fromCodePoint(at);
      if (fold(character) !== (table.get(at) ?? character)) wrong.push(at);
    }
    expect(wrong).to.deep.equal([]);
  });

  it('agrees with the regular expressions of the language on equality', () => {
    // /iu compares by simple folding: what it calls equal folds to equal text
    // wherever both foldings are of status C.
    const full = new Set(FULL.match(/(?<=^|\s)[0-9a-f]+(?=:)/g));
    const wrong: string[] = [];
    for (const [at, to] of entries()) {
      if (full.has(at.toString(16)) || !isAssigned(at)) continue;
      const from = String.fromCodePoint(at);
      if (!new RegExp(`^${to}$`, 'iu').test(from)) wrong.push(from);
    }
    expect(wrong).to.deep.equal([]);
  });

  it('gives the same when it folds again', () => {
    fc.assert(
      fc.property(scalar, (text) => {
        expect(fold(fold(text))).to.equal(fold(text));
      }),
    );
  });

  it('folds code point by code point: of parts as of the whole', () => {
    fc.assert(
      fc.property(scalar, scalar, (a, b) => {
        expect(fold(a + b)).to.equal(fold(a) + fold(b));
      }),
    );
  });

  it('never shortens a text', () => {
    fc.assert(
      fc.property(scalar, (text) => {
        expect(fold(text).length).to.be.at.least(text.length);
      }),
    );
  });

  it('leaves lone surrogates alone', () => {
    expect(fold('A\ud800B\udc00É')).to.equal('a\ud800b\udc00é');
  });
});

/** Node's own Unicode may be older than the table. */
function isAssigned(codePoint: number): boolean {
  return !/\p{Cn}/u.test(String.fromCodePoint(codePoint));
}
