import { toBase64, toHex, utf8 } from '../../protocol/bytes.js';
import {
  agentId,
  formatKeyEvent,
  isAgentId,
  type KeyChain,
  type KeyEvent,
  keyEventHash,
  nextCommitment,
  parseKeyEvent,
  replayKeyNotes,
  signKeyEvent,
  stepKeyChain as step,
} from '../../protocol/key.js';
import { formatNote, parseNote } from '../../protocol/note.js';
import {
  agent,
  chainOf,
  eventOf,
  one,
  pair,
  register_note,
  registered,
  revoke_note,
  revoked,
  rotate,
  rotate_note,
  rotated,
  rotation,
  two,
} from './support/agent-keys.js';
import {
  b64,
  hex,
  must,
  refusal,
  seedPair,
  taken,
  testPair,
  vectors,
} from './support/vectors.js';

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

describe('key chain', () => {
  it('registers, rotates and revokes', () => {
    expect(registered.status).to.equal('active');
    expect(rotated.events).to.have.length(2);
    expect(revoked.status).to.equal('revoked');
    expect(taken(step(null, register_note)).kind).to.equal('advance');
    expect(taken(replayKeyNotes([]))).to.equal(null);
  });

  it('takes a known event again as a repeat, whoever signed it when', () => {
    for (const note of [register_note, rotate_note, revoke_note]) {
      const again = taken(step(revoked, note));
      expect(again.kind).to.equal('repeat');
      expect(again.chain).to.equal(revoked);
    }
    expect(taken(step(rotated, register_note)).kind).to.equal('repeat');
  });

  it('lets an agent that cannot rotate only revoke, with its own key', () => {
    const chain = chainOf(two.register_note);
    const own = seedPair(two.seed_hex);
    const prev = keyEventHash(taken(parseNote(two.register_note)).text);
    const base = { agent: two.agent_id, seq: 1, next: null, prev, at: 5 };
    const key = own.publicKey;
    const rotate = signKeyEvent({ ...base, op: 'rotate', key }, own);
    expect(refusal(step(chain, rotate))).to.equal('signature_invalid');
    const other = testPair(6);
    const theft = { ...base, op: 'revoke' as const, key: other.publicKey };
    expect(refusal(step(chain, signKeyEvent(theft, other)))).to.equal(
      'signature_invalid',
    );
    const revoke = signKeyEvent({ ...base, op: 'revoke', key }, own);
    expect(taken(step(chain, revoke)).chain.status).to.equal('revoked');
  });

  it('answers bad_note for what is not exactly the agent note', () => {
    const stranger = '\u2014 a.example AAAAAAAAAAAAAAAA\n';
    const { text, signatures } = taken(parseNote(register_note));
    const line = must(signatures[0]);
    const renamed = [{ ...line, name: two.agent_id }];
    for (const note of [
      '',
      text,
      register_note + stranger,
      formatNote({ text, signatures: [line, line] }),
      formatNote({ text, signatures: renamed }),
      formatNote({
        text,
        signatures: [{ ...line, signature: line.signature.slice(1) }],
      }),
    ]) {
      expect(refusal(step(null, note))).to.equal('bad_note');
    }
  });

  it('answers weak_key for keys of small and of mixed order', () => {
    const { negative } = vectors;
    for (const text of [
      negative.small_order_public_key_hex,
      negative.mixed_order_public_key_hex,
    ]) {
      const key = hex(text);
      const event: KeyEvent = {
        agent: agentId(key, null),
        op: 'register',
        seq: 0,
        key,
        next: null,
        prev: null,
        at: 1,
      };
      const note = signKeyEvent(event, testPair(7));
      expect(refusal(step(null, note))).to.equal('weak_key');
    }
  });

  it('answers signature_invalid for a key that was not committed to', () => {
    const thief = testPair(8);
    const theft = rotate({ key: thief.publicKey }, thief);
    expect(refusal(step(registered, theft))).to.equal('signature_invalid');
    const own = rotate({ key: pair(0).publicKey }, pair(0));
    expect(refusal(step(registered, own))).to.equal('signature_invalid');
    const { text, signatures } = taken(parseNote(rotate_note));
    const line = must(signatures[0]);
    const forged = { ...line, signature: new Uint8Array(64) };
    const note = formatNote({ text, signatures: [forged] });
    expect(refusal(step(registered, note))).to.equal('signature_invalid');
    const byOld = signKeyEvent(rotation, pair(0));
    expect(refusal(step(registered, byOld))).to.equal('signature_invalid');
  });

  const former = keyEventHash(one.rotate_statement);
  const back = { seq: 2, prev: former, key: pair(0).publicKey, next: null };
  const ended = keyEventHash(one.revoke_statement);
  const more = { seq: 3, prev: ended, key: pair(2).publicKey };
  const elsewhere = { prev: new Uint8Array(32).fill(1) };
  for (const [reason, why, chain, note] of [
    ['bad_statement', 'another text', null, vectors.messages[1]?.note],
    ['bad_statement', 'another agent', registered, two.register_note],
    ['key_superseded', 'a former key', rotated, rotate(back, pair(0))],
    ['key_sequence', 'no register', null, rotate_note],
    ['key_sequence', 'a gap', registered, revoke_note],
    ['key_sequence', 'a wrong prev', registered, rotate(elsewhere, pair(1))],
    ['key_revoked', 'a key after its end', revoked, rotate(more, pair(2))],
  ] as const) {
    it(`answers ${reason} for ${why}`, () => {
      expect(refusal(step(chain, must(note)))).to.equal(reason);
    });
  }

  it('records a second event of one seq and ends the agent with it', () => {
    const second = rotate({ at: rotation.at + 1 }, pair(1));
    const conflict = taken(step(rotated, second));
    expect(conflict.kind).to.equal('conflict');
    expect(conflict.chain.status).to.equal('conflicted');
    expect(rotated.status).to.equal('active');
    const { chain } = conflict;
    expect(taken(step(chain, second)).kind).to.equal('repeat');
    expect(taken(step(chain, rotate_note)).kind).to.equal('repeat');
    const third = rotate({ at: rotation.at + 2 }, pair(1));
    expect(refusal(step(chain, third))).to.equal('key_conflict');
    expect(refusal(step(chain, revoke_note))).to.equal('key_conflict');
    const notes = [register_note, rotate_note, second];
    expect(taken(replayKeyNotes(notes))).to.deep.equal(chain);
    expect(taken(step(revoked, second)).kind).to.equal('conflict');
  });

  it('takes a second register of the same key as a conflict', () => {
    const event = { ...eventOf(one.register_statement), at: 1 };
    const note = signKeyEvent(event, pair(0));
    expect(taken(step(rotated, note)).kind).to.equal('conflict');
  });

  it('ends at 64 events', () => {
    const keys = Array.from({ length: 66 }, (_, at) => testPair(100 + at));
    const keyAt = (seq: number) => must(keys[seq]);
    const nextOf = (seq: number) => nextCommitment(keyAt(seq + 1).publicKey);
    const name = agentId(keyAt(0).publicKey, nextOf(0));
    let chain: KeyChain | null = null;
    for (let seq = 0; seq <= 64; seq += 1) {
      const event: KeyEvent = {
        agent: name,
        op: seq === 0 ? 'register' : 'rotate',
        seq,
        key: keyAt(seq).publicKey,
        next: nextOf(seq),
        prev: chain?.events.at(-1)?.hash ?? null,
        at: seq,
      };
      const stepped = step(chain, signKeyEvent(event, keyAt(seq)));
      if (seq === 64) expect(refusal(stepped)).to.equal('key_sequence');
      else chain = taken(stepped).chain;
    }
  });
});
