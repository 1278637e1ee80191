import fc from 'fast-check';
import { concat, sha256, toHex, utf8 } from '../../protocol/bytes.js';
import {
  decodeEntryBundle,
  encodeEntryBundle,
  parseTilePath,
  tilePath,
} from '../../protocol/tile.js';
import { leafHash } from '../../protocol/tree.js';
import { refusal, taken, vectors } from './support/vectors.js';

const { tile_0_partial, entry_bundle_partial } = vectors.log;
const leaves = vectors.log.leaves.map(({ leaf }) => utf8(leaf));
const level = fc.oneof(
  fc.integer({ min: 0, max: 63 }),
  fc.constant('entries' as const),
);

describe('tile', () => {
  it('has the paths and bytes of the vectors', () => {
    expect(`tile/${tilePath(0, 0, 11)}`).to.equal(tile_0_partial.path);
    expect(`tile/${tilePath('entries', 0, 11)}`).to.equal(
      entry_bundle_partial.path,
    );
    const hashes = concat(...leaves.map(leafHash));
    expect(toHex(sha256(hashes))).to.equal(tile_0_partial.sha256_hex);
    const bundle = encodeEntryBundle(leaves);
    expect(bundle).to.have.length(entry_bundle_partial.bytes);
    expect(toHex(sha256(bundle))).to.equal(entry_bundle_partial.sha256_hex);
    expect(taken(decodeEntryBundle(bundle))).to.deep.equal(leaves);
  });

  it('groups the number in threes', () => {
    expect(tilePath(0, 1234, 5)).to.equal('0/x001/234.p/5');
    expect(tilePath(63, 1_234_067, 256)).to.equal('63/x001/x234/067');
    expect(tilePath('entries', 999, 256)).to.equal('entries/999');
    expect(tilePath('entries', 1000, 255)).to.equal('entries/x001/000.p/255');
  });

  it('reads every path that it writes', () => {
    const width = fc.integer({ min: 1, max: 256 });
    fc.assert(
      fc.property(level, fc.maxSafeNat(), width, (level, n, width) => {
        const path = tilePath(level, n, width);
        expect(taken(parseTilePath(path))).to.deep.equal({ level, n, width });
      }),
    );
  });

  it('writes back every path that it reads', () => {
    const piece = fc.constantFrom(
      '0',
      '1',
      '/',
      'x',
      '00',
      '000',
      '.p/',
      '256',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const path = pieces.join('');
        const read = parseTilePath(path);
        if (!read.ok) return;
        const { level, n, width } = read.value;
        expect(tilePath(level, n, width)).to.equal(path);
      }),
      { numRuns: 5000 },
    );
  });

  for (const path of [
    '',
    '0',
    '0/0',
    '0/00',
    '0/0000',
    '00/000',
    '64/000',
    '-1/000',
    '0/x000/001',
    '0/001/234',
    '0/x001/x234',
    '0/000.p/0',
    '0/000.p/05',
    '0/000.p/256',
    '0/000.p/999',
    '0/000.p',
    '0/000/',
    '0/000\n',
    'entries/000.p/-1',
    'Entries/000',
    '0/x999/x999/x999/x999/x999/999',
    '0/../000',
    '0/\u0660\u0660\u0660',
  ]) {
    it(`refuses ${JSON.stringify(path)}`, () => {
      expect(refusal(parseTilePath(path))).to.equal('bad_path');
    });
  }

  it('reads every bundle that it writes, and no broken one', () => {
    const leaf = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(fc.array(leaf, { minLength: 1 }), (list) => {
        const bundle = encodeEntryBundle(list);
        expect(taken(decodeEntryBundle(bundle))).to.deep.equal(list);
        const cut = decodeEntryBundle(bundle.slice(0, -1));
        const torn = concat(bundle, Uint8Array.of(0));
        expect(cut.ok).to.equal(false);
        expect(refusal(decodeEntryBundle(torn))).to.equal('bad_bundle');
      }),
    );
    const empty = new Uint8Array(0);
    const most = encodeEntryBundle(new Array(256).fill(empty));
    expect(taken(decodeEntryBundle(most))).to.have.length(256);
    const over = encodeEntryBundle(new Array(257).fill(empty));
    expect(decodeEntryBundle(over).ok).to.equal(false);
  });

  it('carries a leaf of the longest possible length', () => {
    const leaf = new Uint8Array(65_535).fill(7);
    expect(taken(decodeEntryBundle(encodeEntryBundle([leaf])))).to.deep.equal([
      leaf,
    ]);
  });
});
