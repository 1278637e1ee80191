import fc from 'fast-check';
import {
  concat,
  equalBytes,
  fromBase64,
  fromHex,
  fromU64be,
  fromUtf8,
  isWellFormed,
  toBase64,
  toHex,
  u16be,
  u64be,
  utf8,
  utf8Length,
} from '../../protocol/bytes.js';
import { vectors } from './support/vectors.js';

describe('bytes', () => {
  it('knows the length of text in UTF-8 without making it', () => {
    const any = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(any, (text) => {
        expect(utf8Length(text)).to.equal(utf8(text).length);
      }),
    );
    for (const text of ['\u007f', '\u0080', '\u07ff', '\u0800', '\ud7ff']) {
      expect(utf8Length(text)).to.equal(utf8(text).length);
    }
    for (const text of ['\ue000', '\uffff', '\u{10000}', '\u{10ffff}']) {
      expect(utf8Length(text)).to.equal(utf8(text).length);
    }
  });

  it('writes and reads base64 as the platform does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (value) => {
        const text = toBase64(value);
        expect(text).to.equal(Buffer.from(value).toString('base64'));
        expect(fromBase64(text)).to.deep.equal(value);
        expect(fromBase64(text, value.length)).to.deep.equal(value);
        expect(fromBase64(text, value.length + 1)).to.equal(null);
      }),
    );
  });

  it('writes long base64 as the platform does', () => {
    for (const length of [3071, 3072, 3073, 6144, 65_537]) {
      const value = Uint8Array.from({ length }, (_, at) => at * 31);
      const text = Buffer.from(value).toString('base64');
      expect(toBase64(value)).to.equal(text);
      expect(fromBase64(text)).to.deep.equal(value);
    }
  });

  it('reads base64 only where it would write the same text', () => {
    const alphabet = fc.constantFrom(...'ABQgwxyz019+/=-_ \n\u00e9');
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 8 }), (letters) => {
        const text = letters.join('');
        const read = fromBase64(text);
        const canonical = Buffer.from(text, 'base64').toString('base64');
        if (read === null) expect(canonical).to.not.equal(text);
        else expect(toBase64(read)).to.equal(text);
      }),
      { numRuns: 2000 },
    );
  });

  for (const text of [
    vectors.negative.non_canonical_base64,
    'AA',
    'AA=',
    'AB==',
    'AAB=',
    'A===',
    '====',
    'AAAA\n',
    ' AAAA',
    'AA==AA==',
    'AA-_',
    '\u0100AAA',
  ]) {
    it(`refuses the base64 ${JSON.stringify(text)}`, () => {
      expect(fromBase64(text)).to.equal(null);
    });
  }

  it('reads lower-case hexadecimal only', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (value) => {
        expect(toHex(value)).to.equal(Buffer.from(value).toString('hex'));
        expect(fromHex(toHex(value))).to.deep.equal(value);
      }),
    );
    for (const text of ['A0', '0', '0x', 'g0', ' 00', '00\n']) {
      expect(fromHex(text), text).to.equal(null);
    }
  });

  it('keeps a byte order mark and refuses what is not UTF-8', () => {
    expect(fromUtf8(utf8('\ufeffa'))).to.equal('\ufeffa');
    expect(fromUtf8(Uint8Array.of(0xc0, 0x80))).to.equal(null);
    expect(fromUtf8(Uint8Array.of(0xed, 0xa0, 0x80))).to.equal(null);
  });

  it('knows unpaired surrogates', () => {
    expect(isWellFormed('\u{1f701}')).to.equal(true);
    expect(isWellFormed('\ufffd')).to.equal(true);
    expect(isWellFormed('a\ud800')).to.equal(false);
    expect(isWellFormed('\udc00\ud800')).to.equal(false);
  });

  it('writes big-endian integers beyond 32 bits', () => {
    expect(toHex(u16be(0x1234))).to.equal('1234');
    expect(toHex(u64be(2 ** 53 - 1))).to.equal('001fffffffffffff');
    expect(fromU64be(u64be(2 ** 53 - 1))).to.equal(2 ** 53 - 1);
    expect(fromU64be(Uint8Array.of(0, 0x20, 0, 0, 0, 0, 0, 0))).to.equal(null);
    expect(fromU64be(new Uint8Array(7))).to.equal(null);
  });

  it('compares and joins', () => {
    const joined = concat(Uint8Array.of(1), new Uint8Array(0), u16be(2));
    expect(equalBytes(joined, Uint8Array.of(1, 0, 2))).to.equal(true);
    expect(equalBytes(joined, Uint8Array.of(1, 0, 3))).to.equal(false);
    expect(equalBytes(joined, Uint8Array.of(1, 0))).to.equal(false);
  });
});
