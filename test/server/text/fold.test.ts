import fc from 'fast-check';
import { COMMON, FULL, fold } from '../../../protocol/fold.js';
import {
  codePointIndex,
  countCodePoints,
  cutCodePoints,
  sliceCodePoints,
  unitIndex,
} from '../../../server/http/code-points.js';
import { gramsOf } from '../../../server/search/ngram-index/keys.js';

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

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'ß', 'я', '漢', '😀') }),
  fc.lorem({ maxCount: 30 }),
);

describe('gramsOf', () => {
  it('gives every part of a text keys that the text has', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, from, length) => {
        const characters = [...text];
        const start = from % (characters.length + 1);
        const part = characters.slice(start, start + 2 + (length % 40));
        const keys = new Set(gramsOf(fold(text)));
        const wanted = gramsOf(fold(part.join('')));
        expect(wanted.filter((key) => !keys.has(key))).to.deep.equal([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('gives any two code points at least one key', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 2, maxLength: 2 }),
        (pair) => {
          expect(gramsOf(pair)).to.have.length.of.at.least(1);
        },
      ),
    );
  });

  it('gives distinct 32-bit integers', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const keys = gramsOf(text, text, `${text}${text}`);
        expect(new Set(keys).size).to.equal(keys.length);
        for (const key of keys) expect(key | 0).to.equal(key);
      }),
    );
  });

  it('tells all pairs of the BMP apart', () => {
    const some = ['a', 'b', '\u0100', 'я', '漢', '\uffff', '\u0001'];
    const keys = some.flatMap((a) => some.map((b) => gramsOf(a + b).join()));
    expect(new Set(keys).size).to.equal(some.length ** 2);
  });

  it('makes no pair of the end of one text and the start of the next', () => {
    const together = gramsOf('ab', 'cd');
    expect(together).to.have.members([...gramsOf('ab'), ...gramsOf('cd')]);
    expect(together).not.to.include.members(gramsOf('bc'));
  });

  it('has no key for nothing and for a single code point', () => {
    expect(gramsOf(null, '', 'a', '😀')).to.deep.equal([]);
  });

  it('has keys that hold for ever: they are stored', () => {
    expect(gramsOf('ab')).to.deep.equal([0x61_0062]);
    expect(gramsOf('😀a')).to.deep.equal(gramsOf('😀a'));
    expect(gramsOf('the quick brown fox')).to.have.length.above(18);
  });
});

// 'grapheme' and 'binary' units, and halves of pairs on their own.
const anyTexts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', '😀', '\ud800', '\udc00', 'é') }),
);

describe('code points', () => {
  it('are counted as the language iterates them', () => {
    fc.assert(
      fc.property(anyTexts, (text) => {
        expect(countCodePoints(text)).to.equal([...text].length);
      }),
    );
  });

  it('are cut as the language iterates them', () => {
    fc.assert(
      fc.property(anyTexts, fc.nat(30), (text, n) => {
        const wanted = [...text].slice(0, n).join('');
        expect(cutCodePoints(text, n)).to.equal(wanted);
      }),
    );
  });

  it('are sliced as the language iterates them', () => {
    fc.assert(
      fc.property(anyTexts, fc.nat(20), fc.nat(20), (text, start, n) => {
        const wanted = [...text].slice(start, start + n).join('');
        expect(sliceCodePoints(text, start, n)).to.equal(wanted);
      }),
    );
  });

  it('have unit indexes that lead back to them', () => {
    fc.assert(
      fc.property(anyTexts, fc.nat(30), (text, index) => {
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
