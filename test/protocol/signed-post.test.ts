import { expect } from 'chai';
import { fromBase64, utf8 } from '../../protocol/bytes.js';
import {
  type KeyChain,
  notePost,
  openPost,
  signPost,
  stepKeyChain as step,
} from '../../protocol/key.js';
import { formatNote, parseNote } from '../../protocol/note.js';
import { signBytes } from '../../protocol/signing.js';
import { parseStatement, type Statement } from '../../protocol/statement.js';
import {
  agent,
  chainOf,
  pair,
  registered,
  revoked,
  rotate,
  rotated,
  two,
} from './support/agent-keys.js';
import { hex, must, refusal, taken, vectors } from './support/vectors.js';

describe('signed post', () => {
  const [, plain, reply, late] = vectors.messages;
  const note = must(must(plain).note);
  const later = must(must(late).note);

  it('opens under the key that was current', () => {
    const opened = taken(openPost(note, registered));
    expect(opened.seq).to.equal(0);
    expect(opened.text).to.equal(must(plain).statement);
    expect(taken(openPost(later, rotated)).seq).to.equal(1);
    expect(openPost(must(must(reply).note), registered).ok).to.equal(true);
  });

  it('is made from the statement and a bare signature', () => {
    const { statement, signature_hex } = must(plain);
    const signature = must(
      fromBase64(Buffer.from(must(signature_hex), 'hex').toString('base64')),
    );
    const made = taken(notePost(statement, signature, registered));
    expect(made).to.deep.equal({ note, seq: 0 });
    const read: Statement = taken(parseStatement(statement));
    expect(signPost(read, agent, pair(0))).to.equal(note);
    expect(refusal(notePost(statement, signature, rotated))).to.equal(
      'key_superseded',
    );
    const short = signature.slice(1);
    expect(refusal(notePost(statement, short, registered))).to.equal(
      'signature_invalid',
    );
    const { negative } = vectors;
    for (const odd of [
      negative.s_plus_l_signature_hex,
      negative.r_identity_signature_hex,
    ]) {
      expect(refusal(notePost(statement, hex(odd), registered))).to.equal(
        'signature_invalid',
      );
    }
  });

  it('is refused with the exact reason', () => {
    expect(refusal(openPost(note, null))).to.equal('key_unknown');
    expect(refusal(openPost(note, rotated))).to.equal('key_superseded');
    expect(refusal(openPost(note, revoked))).to.equal('key_revoked');
    expect(refusal(openPost(later, registered))).to.equal('signature_invalid');
    const second = rotate({ at: 1 }, pair(1));
    const conflicted = taken(step(rotated, second)).chain;
    expect(refusal(openPost(note, conflicted))).to.equal('key_conflicted');
    const other = chainOf(two.register_note);
    expect(refusal(openPost(note, other))).to.equal('key_unknown');
    const guest = must(vectors.messages[0]).statement;
    expect(refusal(openPost(guest, registered))).to.equal('bad_note');
  });

  it('is not made for an agent whose keys take no new posts', () => {
    const { statement, signature_hex } = must(plain);
    const signature = hex(must(signature_hex));
    const made = (chain: KeyChain | null) =>
      refusal(notePost(statement, signature, chain));
    const second = rotate({ at: 1 }, pair(1));
    expect(made(null)).to.equal('key_unknown');
    expect(made(revoked)).to.equal('key_revoked');
    expect(made(taken(step(rotated, second)).chain)).to.equal('key_conflicted');
  });

  it('is refused with another vote than was signed', () => {
    const { signatures } = taken(parseNote(must(must(reply).note)));
    const text = vectors.negative.wrong_vote_statement;
    const flipped = formatNote({ text, signatures });
    expect(refusal(openPost(flipped, registered))).to.equal(
      'signature_invalid',
    );
  });

  it('must state the key that signed it', () => {
    const { text } = taken(parseNote(later));
    const signature = signBytes(utf8(text), pair(1));
    const { signatures } = taken(parseNote(note));
    const line = { ...must(signatures[0]), signature };
    const posing = formatNote({ text, signatures: [line] });
    expect(refusal(openPost(posing, rotated))).to.equal('signature_invalid');
  });
});
