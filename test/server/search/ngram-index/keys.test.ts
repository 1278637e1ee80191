import fc from 'fast-check';
import {
  eachKey,
  wantedKeys,
} from '../../../../server/search/ngram-index/keys.js';
import { SegmentKeys } from '../../../../server/search/ngram-index/segment-keys.js';
import {
  allBlocks,
  blocksIn,
  encodeSlice,
  KEY_BITS,
  narrow,
  numbersOf,
  SUFFIX_BITS,
  SUFFIX_MASK,
} from '../../../../server/search/ngram-index/slice.js';

const character = fc.oneof(
  fc.constantFrom('a', 'b', 'e', ' ', '\t', '\n', 'ß', 'ѣ', '漢', '字', '😀'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const texts = fc
  .array(character, { minLength: 2, maxLength: 80 })
  .map((parts) => parts.join(''))
  .filter((text) => text.isWellFormed() && [...text].length >= 2);

function keysOf(text: string): Set<number> {
  const keys = new Set<number>();
  eachKey(text, (key) => keys.add(key));
  return keys;
}

describe('keys of archived texts', () => {
  it('of every part of a text are keys of the text', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, from, size) => {
        const points = [...text];
        const start = from % (points.length - 1);
        const part = points.slice(start, start + 2 + (size % 99)).join('');
        const wanted = wantedKeys(part);
        expect(wanted).not.to.have.length(0);
        expect(wanted.length).to.be.at.most(8);
        expect([...keysOf(text)]).to.include.members(wanted);
      }),
      { numRuns: 500 },
    );
  });

  it('are numbers of so many bits, and tell ASCII apart', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789 .,-'];
    const pairs = letters.flatMap((a) =>
      letters.flatMap((b) => wantedKeys(a + b)),
    );
    expect(Math.max(...pairs)).to.be.below(2 ** KEY_BITS);
    // A few may share a key by chance; most must not.
    expect(new Set(pairs).size).to.be.above(letters.length ** 2 - 5);
  });

  it('tell white space apart, and are none of single points', () => {
    expect(wantedKeys('a\tb')).not.to.deep.equal(wantedKeys('a b'));
    expect(wantedKeys('a\u00a0b')).not.to.deep.equal(wantedKeys('a b'));
    expect(wantedKeys('x', '', '😀')).to.deep.equal([]);
  });

  it('of a longer text are those at its rarest places', () => {
    const common = 'the and of the and of the and of';
    const rare = wantedKeys(`${common} qxzj`).filter(
      (key) => !keysOf(common).has(key),
    );
    expect(rare.some((key) => keysOf('of qxzj').has(key))).to.equal(true);
  });
});

describe('slices of a segment', () => {
  const pairsOf = fc
    .uniqueArray(fc.nat(2 ** 18 - 1), { maxLength: 400 })
    .map((pairs) => Uint32Array.from(pairs).sort());

  it('give back what was put in, as numbers and as bitmaps', () => {
    fc.assert(
      fc.property(pairsOf, fc.nat(SUFFIX_MASK), (some, full) => {
        const all = new Set(some);
        for (let block = 0; block < 256; block += 3)
          all.add((full << 8) | block);
        const data = encodeSlice(Uint32Array.from(all).sort());
        for (const suffix of [full, full ^ 1, (some[0] ?? 0) >>> 8]) {
          const expected = [...all]
            .filter((pair) => pair >>> 8 === suffix)
            .map((pair) => pair & 255)
            .sort((a, b) => b - a);
          const blocks = blocksIn(data, suffix);
          expect(blocks ? numbersOf(blocks) : []).to.deep.equal(expected);
        }
      }),
    );
  });

  it('narrow a choice of blocks', () => {
    const blocks = allBlocks();
    expect(numbersOf(blocks)).to.have.length(256);
    const one = blocksIn(encodeSlice(Uint32Array.of(7, 255)), 0);
    const other = blocksIn(encodeSlice(Uint32Array.of(8)), 0);
    expect(narrow(blocks, one ?? allBlocks())).to.equal(true);
    expect(numbersOf(blocks)).to.deep.equal([255, 7]);
    expect(narrow(blocks, other ?? allBlocks())).to.equal(false);
  });

  it('hold the keys of all texts of a block, and of no other', async () => {
    const keys = new SegmentKeys();
    keys.addBlock(0, ['shared text', 'of the first']);
    keys.addBlock(200, ['shared text', '漢字検索']);
    const slices = new Map<number, Buffer>();
    for await (const portion of keys.slices()) {
      for (const { slice, data } of portion) slices.set(slice, data);
    }
    const blocksWith = (text: string) => {
      const left = allBlocks();
      for (const key of wantedKeys(text)) {
        const data = slices.get(key >>> SUFFIX_BITS);
        const holding = data ? blocksIn(data, key & SUFFIX_MASK) : null;
        if (holding === null || !narrow(left, holding)) return [];
      }
      return numbersOf(left);
    };
    expect(blocksWith('shared')).to.deep.equal([200, 0]);
    expect(blocksWith('e first')).to.deep.equal([0]);
    expect(blocksWith('漢字')).to.deep.equal([200]);
    expect(blocksWith('text of')).to.deep.equal([]);
  });
});
