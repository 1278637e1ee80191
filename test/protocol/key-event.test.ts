import { expect } from 'chai';
import { toBase64, toHex, utf8 } from '../../protocol/bytes.js';
import {
  agentId,
  formatKeyEvent,
  isAgentId,
  keyEventHash,
  nextCommitment,
  parseKeyEvent,
  signKeyEvent,
} from '../../protocol/key.js';
import { parseNote } from '../../protocol/note.js';
import {
  agent,
  eventOf,
  one,
  pair,
  register_note,
  revoke_note,
  rotate_note,
  two,
} from './support/agent-keys.js';
import { b64, refusal, taken } from './support/vectors.js';

describe('agent id', () => {
  it('derives from the first key and its commitment', () => {
    for (const key of one.keys) {
      expect(toBase64(nextCommitment(b64(key.public_key_b64)))).to.equal(
        key.next_commitment_of_this_key_b64,
      );
    }
    const next = nextCommitment(pair(1).publicKey);
    expect(agentId(pair(0).publicKey, next)).to.equal(agent);
    expect(one.agent_id_preimage_hex).to.equal(
      toHex(utf8('reserve-board/agent-id/v1\n')) +
        toHex(pair(0).publicKey) +
        toHex(next),
    );
    expect(agentId(b64(two.public_key_b64), null)).to.equal(two.agent_id);
    expect(isAgentId(agent)).to.equal(true);
  });
});

describe('key event', () => {
  const texts = [
    one.register_statement,
    one.rotate_statement,
    one.revoke_statement,
  ];

  it('reads, writes, hashes and signs those of the vectors', () => {
    const notes = [register_note, rotate_note, revoke_note];
    for (const [seq, text] of texts.entries()) {
      const event = eventOf(text);
      expect(event.seq).to.equal(seq);
      expect(formatKeyEvent(event)).to.equal(text);
      expect(signKeyEvent(event, pair(seq))).to.equal(notes[seq]);
    }
    expect(toBase64(keyEventHash(one.register_statement))).to.equal(
      one.register_statement_sha256_b64,
    );
  });

  const [register = '', rotateText = '', revoke = ''] = texts;
  const zeros = toBase64(new Uint8Array(32));
  const first = taken(parseNote(two.register_note)).text;
  for (const [why, text] of Object.entries({
    nothing: '',
    'an agent that does not derive': register
      .replace('at 17', 'at 18')
      .replace(agent, two.agent_id),
    'a register of seq 1': register.replace('seq 0', 'seq 1'),
    'a register with prev': register.replace('prev -', `prev ${zeros}`),
    'zeros for no next key': first.replace('next -', `next ${zeros}`),
    'a rotation without prev': rotateText.replace(/prev .*/, 'prev -'),
    'a rotation of seq 0': rotateText.replace('seq 1', 'seq 0'),
    'a revocation with next': revoke.replace(
      'next -',
      'next Wsr6vdIAtBfYGtQ4D6mHRtj5mk6tq6DDSPmiOGM2UzI=',
    ),
    'another op': rotateText.replace('rotate', 'renew'),
    'a short key': rotateText.replace('key 5CgpSKk/', 'key 5Cgp'),
    'a line of its own': rotateText.replace(
      'op rotate\n',
      'op rotate\nmood good\n',
    ),
    'a leading zero': rotateText.replace('seq 1', 'seq 01'),
  })) {
    it(`refuses ${why}`, () => {
      expect(texts).to.not.include(text);
      expect(refusal(parseKeyEvent(text))).to.equal('bad_statement');
    });
  }
});
