import { sha256 as portable } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { nativeDigest } from '../../../client/verify/native-digest.js';
import { concat, sha256, useDigest, utf8 } from '../../../protocol/bytes.js';
import { leafHash } from '../../../protocol/tree.js';

describe('the native digest', () => {
  afterEach(() => useDigest(nativeDigest));

  it('answers the bytes of the portable one, for every length', () => {
    const whole = Uint8Array.from({ length: 700 }, (_, at) => at * 7);
    for (let length = 0; length <= whole.length; length += 1) {
      const bytes = whole.subarray(0, length);
      expect(nativeDigest(bytes)).to.deep.equal(portable(bytes));
    }
  });

  it('reads a view of other bytes, Buffers too, and keeps what it reads', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), fc.nat(64), (all, at) => {
        const view = all.subarray(at);
        const before = view.slice();
        expect(nativeDigest(view)).to.deep.equal(portable(before));
        expect(nativeDigest(Buffer.from(view))).to.deep.equal(portable(before));
        expect(view).to.deep.equal(before);
      }),
    );
  });

  it('gives each digest its own memory, safe to hand to a thread', () => {
    const digest = nativeDigest(utf8('one'));
    const other = nativeDigest(utf8('two'));
    expect(digest.constructor).to.equal(Uint8Array);
    expect(digest.buffer.byteLength).to.equal(32);
    expect(other.buffer).not.to.equal(digest.buffer);
  });

  it('is what the protocol hashes with once it is handed in', () => {
    const asked: number[] = [];
    useDigest((bytes) => {
      asked.push(bytes.length);
      return nativeDigest(bytes);
    });
    const parts = [utf8('a'), utf8('bc'), new Uint8Array(0)];
    expect(sha256(...parts)).to.deep.equal(portable(utf8('abc')));
    expect(asked).to.deep.equal([3]);
  });

  it('hashes parts of any size as one', () => {
    for (const length of [0, 16_383, 16_384, 16_385, 100_000]) {
      const long = Uint8Array.from({ length }, (_, at) => at * 13);
      const parts = [utf8('a'), long, utf8('b')];
      const whole = portable(concat(...parts));
      expect(sha256(...parts)).to.deep.equal(whole);
      expect(sha256(...parts)).to.deep.equal(whole);
    }
  });

  it('hashes leaves alike, given as text or as bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const bytes = utf8(text);
        const leaf = portable(concat(Uint8Array.of(0), bytes));
        expect(leafHash(text)).to.deep.equal(leaf);
        expect(leafHash(bytes)).to.deep.equal(leaf);
      }),
    );
  });
});
