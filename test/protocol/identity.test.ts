import {
  formatIdentity,
  type Identity,
  openIdentity,
  parseIdentity,
  signIdentity,
} from '../../protocol/identity.js';
import {
  formatNote,
  parseNote,
  type Signer,
  signNote,
} from '../../protocol/note.js';
import { ED25519, formatVkey, makeVkey } from '../../protocol/vkey.js';
import {
  hex,
  refusal,
  seedPair,
  taken,
  testPair,
  vectors,
  vkey,
} from './support/vectors.js';

const keys = vectors.board_keys.board_a;
const signer = (key: { vkey: string; seed_hex: string }): Signer => ({
  vkey: vkey(key.vkey),
  pair: seedPair(key.seed_hex),
});
const log = signer(keys.log);
const node = signer(keys.node);
const raw = vectors.identity_note;
const { text } = taken(parseNote(raw));
const identity = taken(parseIdentity(text));

describe('identity', () => {
  it('reads, writes and signs the note of the vectors', () => {
    expect(formatIdentity(identity)).to.equal(text);
    expect(signIdentity(identity, log, node)).to.equal(raw);
    const opened = taken(openIdentity(raw, vkey(keys.log.vkey)));
    expect(opened.keys.mirror).to.deep.equal(vkey(keys.mirror.vkey));
    expect(opened.name).to.equal('board-a.example');
    expect(taken(openIdentity(raw)).text).to.equal(text);
  });

  it('follows a new generation that the pinned key still signs', () => {
    const pair = testPair(9);
    const origin = 'board-a.example/log2';
    const next = { vkey: makeVkey(origin, ED25519, pair.publicKey), pair };
    const changed: Identity = {
      ...identity,
      origin,
      log: formatVkey(next.vkey),
      seq: 1,
    };
    const followed = signIdentity(changed, next, node, log);
    expect(taken(openIdentity(followed, log.vkey)).origin).to.equal(origin);
    const alone = signIdentity(changed, next, node);
    expect(openIdentity(alone).ok).to.equal(true);
    expect(refusal(openIdentity(alone, log.vkey))).to.equal('pin_mismatch');
  });

  it('needs both of its own signatures', () => {
    const one = (by: Signer) => openIdentity(signNote(text, [by]));
    expect(refusal(one(log))).to.equal('no_known_signature');
    expect(refusal(one(node))).to.equal('no_known_signature');
    const { signatures } = taken(parseNote(raw));
    const other = { ...identity, seq: 1 };
    const moved = formatNote({ text: formatIdentity(other), signatures });
    expect(refusal(openIdentity(moved))).to.equal('signature_invalid');
  });

  it('refuses keys of mixed order', () => {
    const weak = hex(vectors.negative.mixed_order_public_key_hex);
    const mirror = formatVkey(makeVkey('board-a.example/mirror', 4, weak));
    const note = signIdentity({ ...identity, mirror }, log, node);
    expect(refusal(openIdentity(note))).to.equal('weak_key');
  });

  it('refuses what is no note, no identity, or names other keys', () => {
    expect(refusal(openIdentity(text))).to.equal('bad_note');
    const checkpoint = vectors.log.checkpoint;
    expect(refusal(openIdentity(checkpoint))).to.equal('bad_statement');
    const unnamed = { ...identity, node: keys.mirror.vkey };
    const note = signIdentity(unnamed, log, node);
    expect(refusal(openIdentity(note))).to.equal('bad_statement');
  });

  const mirrorAsNode = formatVkey(
    makeVkey('board-a.example/node', ED25519, vkey(keys.log.vkey).publicKey),
  );
  for (const [why, changed] of Object.entries({
    'a name of another form': { name: 'Board' },
    'a url with a path': { url: 'https://board-a.example/x' },
    'a url with a slash': { url: 'https://board-a.example/' },
    'a url of another scheme': { url: 'ftp://board-a.example' },
    'a url with a user': { url: 'https://a@board-a.example' },
    'the origin of another board': { origin: 'board-b.example/log' },
    'the log key of another origin': {
      log: vectors.board_keys.board_b.log.vkey,
    },
    'a node key in place of the mirror key': { mirror: identity.node },
    'one key in two roles': { node: mirrorAsNode },
    'no key at all': { log: '-' },
  } satisfies Record<string, Partial<Identity>>)) {
    it(`refuses ${why}`, () => {
      const broken = formatIdentity({ ...identity, ...changed });
      expect(refusal(parseIdentity(broken))).to.equal('bad_statement');
    });
  }

  it('refuses other lines than its nine', () => {
    for (const broken of [
      `${text}\n`,
      text.replace('seq 0', 'seq 00'),
      text.replace('seq 0\n', 'seq 0\nmood good\n'),
      text.replace(/url .*\n/, ''),
      text.replace('/v1', '/v2'),
      '',
    ]) {
      expect(refusal(parseIdentity(broken))).to.equal('bad_statement');
    }
  });
});
