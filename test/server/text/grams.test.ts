import { expect } from 'chai';
import fc from 'fast-check';
import { fold } from '../../../protocol/fold.js';
import { gramsOf } from '../../../server/search/ngram-index/keys.js';

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
