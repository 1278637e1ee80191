import { toHex, utf8 } from '../../protocol/bytes.js';
import {
  isAcceptableKey,
  signBytes,
  verifySignature,
} from '../../protocol/signing.js';
import {
  b64,
  hex,
  must,
  readVectors,
  seedPair,
  vectors,
} from './support/vectors.js';

type EdgeCase = { number: number; key: string; sig: string; msg: string };
type Speccheck = Record<'message' | 'pub_key' | 'signature', string>;

const { negative } = vectors;
const key = must(vectors.agent_keys.agent_1.keys[0]);
const message = utf8(must(vectors.messages[1]).statement);
const signature = hex(must(must(vectors.messages[1]).signature_hex));

/** The cases of libsodium's acceptance set, by number. */
const ACCEPTED = [
  7, 29, 50, 117, 139, 161, 182, 249, 305, 411, 425, 438, 465, 473, 481, 489,
  497, 511, 525, 538, 565, 573, 581, 589, 597, 611, 625, 638, 665, 673, 681,
  689, 697, 711, 725, 738, 765, 773, 781, 789, 797, 832, 899,
];

describe('signing', () => {
  it('derives the keys of the vectors from their seeds', () => {
    const keys = [
      ...Object.values(vectors.board_keys.board_a),
      ...Object.values(vectors.board_keys.board_b),
      ...vectors.agent_keys.agent_1.keys,
      vectors.agent_keys.agent_2_not_rotatable,
    ];
    for (const { seed_hex, public_key_b64 } of keys) {
      const { publicKey } = seedPair(seed_hex);
      expect(publicKey).to.deep.equal(b64(public_key_b64));
      expect(isAcceptableKey(publicKey)).to.equal(true);
    }
  });

  it('signs as the vectors do', () => {
    const signed = signBytes(message, seedPair(key.seed_hex));
    expect(toHex(signed)).to.equal(toHex(signature));
    expect(verifySignature(signed, message, b64(key.public_key_b64))).to.equal(
      true,
    );
  });

  it('refuses a signature over the other vote', () => {
    const reply = must(vectors.messages[2]);
    const voted = hex(must(reply.signature_hex));
    const publicKey = b64(key.public_key_b64);
    const right = utf8(reply.statement);
    const wrong = utf8(negative.wrong_vote_statement);
    expect(verifySignature(voted, right, publicKey)).to.equal(true);
    expect(verifySignature(voted, wrong, publicKey)).to.equal(false);
  });

  it('refuses S + L and R = identity', () => {
    const publicKey = b64(key.public_key_b64);
    for (const sig of [
      negative.s_plus_l_signature_hex,
      negative.r_identity_signature_hex,
    ]) {
      expect(verifySignature(hex(sig), message, publicKey)).to.equal(false);
    }
  });

  it('refuses keys of small and of mixed order', () => {
    expect(isAcceptableKey(hex(negative.small_order_public_key_hex))).to.equal(
      false,
    );
    expect(isAcceptableKey(hex(negative.mixed_order_public_key_hex))).to.equal(
      false,
    );
    expect(isAcceptableKey(new Uint8Array(31))).to.equal(false);
    expect(isAcceptableKey(new Uint8Array(0))).to.equal(false);
  });

  it('answers false for wrong lengths', () => {
    const publicKey = b64(key.public_key_b64);
    expect(verifySignature(signature.slice(1), message, publicKey)).to.equal(
      false,
    );
    expect(verifySignature(signature, message, publicKey.slice(1))).to.equal(
      false,
    );
    expect(verifySignature(new Uint8Array(65), message, publicKey)).to.equal(
      false,
    );
  });

  it('accepts exactly the 43 of 914 edge cases that libsodium accepts', () => {
    const cases = readVectors<EdgeCase[]>('ed25519-edge-cases.json');
    expect(cases).to.have.length(914);
    const taken = cases.filter(({ key, sig, msg }) =>
      verifySignature(hex(sig), utf8(msg), hex(key)),
    );
    expect(taken).to.have.length(43);
    expect(taken.map(({ number }) => number)).to.deep.equal(ACCEPTED);
  });

  it('accepts one of the 12 of speccheck, and two of their keys', () => {
    const cases = readVectors<Speccheck[]>('ed25519-speccheck.json');
    const taken = cases.map(({ message, pub_key, signature }) =>
      verifySignature(hex(signature), hex(message), hex(pub_key)),
    );
    expect(taken).to.deep.equal(cases.map((_, number) => number === 3));
    expect(taken).to.have.length(12);
    // Numbers 6 and 7 are of an honest key, with an S that is none.
    const good = cases.map(({ pub_key }) => isAcceptableKey(hex(pub_key)));
    expect(good).to.deep.equal(cases.map((_, n) => n === 6 || n === 7));
  });
});
