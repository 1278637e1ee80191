import libsodium from 'libsodium-wrappers';
import { sodium } from '../../../client/one-file/sodium.js';
import { toHex, utf8 } from '../../../protocol/bytes.js';
import { hex, readVectors, vectors } from '../../protocol/support/vectors.js';
import { FULL } from '../../support/full.js';
import { randomBytes } from '../../support/random.js';

type EdgeCase = { key: string; sig: string; msg: string };
type Speccheck = Record<'message' | 'pub_key' | 'signature', string>;
type Case = [Uint8Array, Uint8Array, Uint8Array];

const HONEST = FULL ? 2000 : 60;
const ARBITRARY = FULL ? 20_000 : 400;

function takesKey(library: typeof sodium, key: Uint8Array): boolean {
  try {
    library.crypto_sign_ed25519_pk_to_curve25519(key);
    return true;
  } catch {
    return false;
  }
}

function edgeCases(): Case[] {
  const edges = readVectors<EdgeCase[]>('ed25519-edge-cases.json');
  const checks = readVectors<Speccheck[]>('ed25519-speccheck.json');
  return [
    ...edges.map(({ key, sig, msg }): Case => [hex(sig), utf8(msg), hex(key)]),
    ...checks.map(
      ({ message, pub_key, signature }): Case => [
        hex(signature),
        hex(message),
        hex(pub_key),
      ],
    ),
  ];
}

/** All encodings whose y is not below p, with either sign of x. */
function unreducedKeys(): Uint8Array[] {
  return Array.from({ length: 38 }, (_, at) => {
    const key = new Uint8Array(32).fill(0xff);
    key[0] = 0xed + (at % 19);
    key[31] = at < 19 ? 0x7f : 0xff;
    return key;
  });
}

/** Encodings with a y of 0 to 63, with either sign of x. */
function smallKeys(): Uint8Array[] {
  return Array.from({ length: 128 }, (_, at) => {
    const key = new Uint8Array(32);
    key[0] = at % 64;
    key[31] = at < 64 ? 0 : 0x80;
    return key;
  });
}

describe('signatures in the one-file client', () => {
  before(() => libsodium.ready);

  function agree([signature, message, key]: Case): boolean {
    const [ours, theirs] = [sodium, libsodium].map((library) =>
      library.crypto_sign_verify_detached(signature, message, key),
    );
    expect(ours, `${toHex(signature)} by ${toHex(key)}`).to.equal(theirs);
    return ours ?? false;
  }

  it('are accepted as libsodium accepts them, in all 926 edge cases', () => {
    const cases = edgeCases();
    expect(cases).to.have.length(914 + 12);
    expect(cases.filter(agree)).to.have.length(43 + 1);
  });

  it('are refused with S + L and with R = identity', () => {
    const { negative, messages, agent_keys } = vectors;
    const [key] = agent_keys.agent_1.keys;
    const text = utf8(messages[1]?.statement ?? '');
    const publicKey = Buffer.from(key?.public_key_b64 ?? '', 'base64');
    for (const signature of [
      negative.s_plus_l_signature_hex,
      negative.r_identity_signature_hex,
    ]) {
      expect(agree([hex(signature), text, publicKey])).to.equal(false);
    }
    expect(
      agree([hex(messages[1]?.signature_hex ?? ''), text, publicKey]),
    ).to.equal(true);
  });

  it('are made as libsodium makes them, and refused when a bit differs', () => {
    for (let i = 0; i < HONEST; i += 1) {
      const seed = Uint8Array.from(randomBytes(32));
      const message = Uint8Array.from(randomBytes(i));
      const pair = sodium.crypto_sign_seed_keypair(seed);
      const { publicKey, privateKey } =
        libsodium.crypto_sign_seed_keypair(seed);
      expect(pair).to.deep.equal({ publicKey, privateKey });
      const signature = sodium.crypto_sign_detached(message, privateKey);
      expect(signature).to.deep.equal(
        libsodium.crypto_sign_detached(message, privateKey),
      );
      expect(agree([signature, message, publicKey])).to.equal(true);
      const bit = randomBytes(2).readUInt16BE(0) % 512;
      signature[bit >> 3] = (signature[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(agree([signature, message, publicKey])).to.equal(false);
      expect(takesKey(sodium, publicKey)).to.equal(true);
    }
  });

  it('take the keys that libsodium takes', () => {
    const arbitrary = Array.from({ length: ARBITRARY }, () =>
      Uint8Array.from(randomBytes(32)),
    );
    const cases = edgeCases().flatMap(([signature, , key]) => [
      key,
      signature.subarray(0, 32),
    ]);
    const { negative } = vectors;
    const known = [
      hex(negative.small_order_public_key_hex),
      hex(negative.mixed_order_public_key_hex),
    ];
    const unlike = new Map(
      [
        ...cases,
        ...known,
        ...unreducedKeys(),
        ...smallKeys(),
        ...arbitrary,
      ].map((key) => [toHex(key), key] as const),
    );
    let taken = 0;
    for (const [name, key] of unlike) {
      const ours = takesKey(sodium, key);
      expect(ours, name).to.equal(takesKey(libsodium as never, key));
      if (ours) taken += 1;
    }
    expect(taken).to.be.within(1, unlike.size - 1);
  });
});
