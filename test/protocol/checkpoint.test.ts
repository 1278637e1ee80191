import { toBase64 } from '../../protocol/bytes.js';
import {
  cosign,
  formatCheckpoint,
  openCheckpoint,
  parseCheckpoint,
  signCheckpoint,
  verifyCosignature,
} from '../../protocol/checkpoint.js';
import { parseSignatureLine, signatureLine } from '../../protocol/note.js';
import { makeVkey } from '../../protocol/vkey.js';
import {
  b64,
  must,
  refusal,
  seedPair,
  taken,
  testPair,
  vectors,
  vkey,
} from './support/vectors.js';

const { log, board_keys } = vectors;
const logKey = vkey(log.vkey);
const mirrorKey = vkey(log.cosigner_vkey);
const body = log.checkpoint_body;
const checkpoint = {
  origin: log.origin,
  size: 11,
  root: b64(must(log.roots_by_size_b64[11])),
};
const logSigner = {
  vkey: logKey,
  pair: seedPair(board_keys.board_a.log.seed_hex),
};
const mirror = {
  vkey: mirrorKey,
  pair: seedPair(board_keys.board_b.mirror.seed_hex),
};

describe('checkpoint', () => {
  it('is the text and the note of the vectors', () => {
    expect(formatCheckpoint(checkpoint)).to.equal(body);
    expect(taken(parseCheckpoint(body))).to.deep.equal(checkpoint);
    expect(signCheckpoint(checkpoint, logSigner)).to.equal(log.checkpoint);
  });

  it('opens with the pinned key, with and without cosignatures', () => {
    for (const raw of [log.checkpoint, log.checkpoint_cosigned]) {
      const { note, ...opened } = taken(openCheckpoint(raw, logKey));
      expect(opened).to.deep.equal(checkpoint);
      expect(note.text).to.equal(body);
    }
  });

  it('opens the checkpoint of another size', () => {
    const big = { ...checkpoint, size: 2 ** 53 - 1 };
    const opened = openCheckpoint(signCheckpoint(big, logSigner), logKey);
    expect(taken(opened).size).to.equal(2 ** 53 - 1);
  });

  it('refuses another key, another origin, another text', () => {
    const other = vkey(board_keys.board_b.log.vkey);
    const open = openCheckpoint;
    expect(refusal(open(log.checkpoint, other))).to.equal('no_known_signature');
    const moved = { ...checkpoint, origin: 'board-b.example/log' };
    expect(refusal(open(signCheckpoint(moved, logSigner), logKey))).to.equal(
      'wrong_origin',
    );
    const larger = log.checkpoint.replace('\n11\n', '\n12\n');
    expect(refusal(open(larger, logKey))).to.equal('signature_invalid');
    expect(refusal(open(vectors.identity_note, logKey))).to.equal(
      'bad_checkpoint',
    );
    expect(refusal(open('', logKey))).to.equal('bad_note');
  });

  const root = toBase64(checkpoint.root);
  const origin = log.origin;
  for (const text of [
    '',
    '\n\n\n',
    `${origin}\n11\n${root}`,
    `${origin}\n11\n${root}\nextension\n`,
    `${origin}\n11\n${root}\n\n`,
    `${origin}\n011\n${root}\n`,
    `${origin}\n-1\n${root}\n`,
    `${origin}\n1e1\n${root}\n`,
    `${origin}\n9007199254740992\n${root}\n`,
    `${origin}\n11 \n${root}\n`,
    `${origin}\n11\n${root.slice(0, -4)}\n`,
    `${origin}\n11\n${root.replace('=', '')}\n`,
    `\n11\n${root}\n`,
    `board a/log\n11\n${root}\n`,
    `b\u00e4ord/log\n11\n${root}\n`,
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(refusal(parseCheckpoint(text))).to.equal('bad_checkpoint');
    });
  }
});

describe('cosignature', () => {
  const line = must(parseSignatureLine(log.cosignature_line));

  it('is the line of the vectors', () => {
    const made = cosign(body, 1767229430, mirror);
    expect(signatureLine(made)).to.equal(log.cosignature_line);
    expect(taken(verifyCosignature(body, line, mirrorKey)).time).to.equal(
      1767229430,
    );
  });

  it('covers the time, the body and the key', () => {
    const later = line.signature.slice();
    later[7] = must(later[7]) ^ 1;
    const short = line.signature.slice(0, 71);
    for (const signature of [later, short, line.signature.slice(8)]) {
      const changed = { ...line, signature };
      expect(verifyCosignature(body, changed, mirrorKey).ok).to.equal(false);
    }
    const larger = body.replace('\n11\n', '\n12\n');
    expect(verifyCosignature(larger, line, mirrorKey).ok).to.equal(false);
    const own = vkey(board_keys.board_a.mirror.vkey);
    expect(verifyCosignature(body, line, own).ok).to.equal(false);
    const renamed = { ...line, name: 'board-c.example/mirror' };
    expect(verifyCosignature(body, renamed, mirrorKey).ok).to.equal(false);
  });

  it('is never made with or checked by a plain key', () => {
    const pair = testPair(3);
    const plain = makeVkey('k.example/mirror', 1, pair.publicKey);
    expect(() => cosign(body, 1, { vkey: plain, pair })).to.throw(TypeError);
    expect(verifyCosignature(body, line, plain).ok).to.equal(false);
  });
});
