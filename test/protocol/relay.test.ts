import { contentFromJson } from '../../protocol/content.js';
import { parseNote, signNote } from '../../protocol/note.js';
import {
  envelopeToJson,
  formatRelay,
  openRelay,
  parseRelay,
  signRelay,
} from '../../protocol/relay.js';
import { messageHash } from '../../protocol/statement.js';
import { ED25519, makeVkey } from '../../protocol/vkey.js';
import {
  must,
  refusal,
  seedPair,
  taken,
  testPair,
  vectors,
  vkey,
} from './support/vectors.js';

const { relay_note, envelope } = vectors.relay;
const keys = vectors.board_keys.board_b;
const node = { vkey: vkey(keys.node.vkey), pair: seedPair(keys.node.seed_hex) };
const { text } = taken(parseNote(relay_note));
const relay = taken(parseRelay(text));

describe('relay note', () => {
  it('is the one of the vectors', () => {
    expect(formatRelay(relay)).to.equal(text);
    expect(signRelay(relay, node)).to.equal(relay_note);
    expect(taken(openRelay(relay_note, node.vkey))).to.deep.equal(relay);
    const { statement } = must(vectors.messages[3]);
    expect(relay.message).to.deep.equal(messageHash(statement));
  });

  it('is signed by the sending node alone', () => {
    const own = vkey(vectors.board_keys.board_a.node.vkey);
    expect(refusal(openRelay(relay_note, own))).to.equal('signature_invalid');
    const stranger = `${relay_note}\u2014 a.example AAAAAAAAAAAA\n`;
    expect(refusal(openRelay(stranger, node.vkey))).to.equal('bad_note');
    const pair = testPair(10);
    const name = 'board-c.example/node';
    const other = { vkey: makeVkey(name, ED25519, pair.publicKey), pair };
    const posing = signRelay(relay, other);
    expect(refusal(openRelay(posing, other.vkey))).to.equal(
      'signature_invalid',
    );
    const changed = relay_note.replace('to board-a', 'to board-c');
    expect(refusal(openRelay(changed, node.vkey))).to.equal(
      'signature_invalid',
    );
    const odd = signNote(text.replace('/v1', '/v2'), [node]);
    expect(refusal(openRelay(odd, node.vkey))).to.equal('bad_statement');
    expect(refusal(openRelay('', node.vkey))).to.equal('bad_note');
  });

  for (const [why, broken] of Object.entries({
    nothing: '',
    'a blank line': `${text}\n`,
    'a tag of 15 bytes': text.replace(
      /network .*/,
      `network ${'A'.repeat(20)}`,
    ),
    'a tag of 17 bytes': text.replace(
      /network .*/,
      `network ${'A'.repeat(23)}=`,
    ),
    'an address for a tag': text.replace(/network .*/, 'network 192.0.2.1'),
    'no tag': text.replace(/network .*\n/, ''),
    'a sender that is no board': text.replace('from board-b.example', 'from b'),
    'a receiver that is no board': text.replace('to board-a.example', 'to a'),
    'an upper-case UUID': text.replace('886313e1', '886313E1'),
    'a short hash': text.replace(/message .*/, 'message AAAA'),
    'a time in text': text.replace(/at .*/, 'at now'),
    'lines out of order': text.replace(
      /(from .*\n)(to .*\n)/,
      (_, from, to) => to + from,
    ),
  })) {
    it(`refuses ${why}`, () => {
      expect(broken).to.not.equal(text);
      expect(refusal(parseRelay(broken))).to.equal('bad_statement');
    });
  }
});

it('writes the envelope of the vectors', () => {
  const { note, keys } = envelope;
  const content = taken(contentFromJson(envelope.content));
  expect(envelopeToJson({ note, content, keys })).to.deep.equal(envelope);
});
