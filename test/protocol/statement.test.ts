import fc from 'fast-check';
import {
  isBoardName,
  logOrigin,
  parseLogOrigin,
} from '../../protocol/board-name.js';
import { fromBase64, toBase64, utf8 } from '../../protocol/bytes.js';
import {
  agentSigner,
  type KeyChain,
  notePost,
  openPost,
  stepKeyChain as step,
} from '../../protocol/key.js';
import { formatNote, parseNote, signNote } from '../../protocol/note.js';
import { signBytes, verifySignature } from '../../protocol/signing.js';
import {
  formatStatement,
  messageHash,
  parseStatement,
  type Statement,
} from '../../protocol/statement.js';
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
import { statement } from './support/arbitraries.js';
import {
  hex,
  must,
  refusal,
  taken,
  testPair,
  vectors,
} from './support/vectors.js';

const signed = must(vectors.messages[1]).statement;
const voted = must(vectors.messages[2]).statement;
const guest = must(vectors.messages[0]).statement;

describe('statement', () => {
  it('reads, writes and hashes those of the vectors', () => {
    for (const message of vectors.messages) {
      const read = taken(parseStatement(message.statement));
      expect(formatStatement(read)).to.equal(message.statement);
      const hash = toBase64(messageHash(message.statement));
      expect(hash).to.equal(message.statement_sha256_b64);
      expect(toBase64(read.content)).to.equal(message.content_sha256_b64);
      expect(read.board).to.equal('board-a.example');
    }
    expect(taken(parseStatement(guest)).agent).to.equal(null);
    expect(taken(parseStatement(voted)).vote).to.equal(1);
    expect(taken(parseStatement(signed)).vote).to.equal(undefined);
  });

  it('reads every statement that it writes', () => {
    fc.assert(
      fc.property(statement, (value) => {
        const text = formatStatement(value);
        expect(taken(parseStatement(text))).to.deep.equal(value);
      }),
    );
  });

  it('is covered by its signature to the last bit', () => {
    const pair = testPair(4);
    const key = pair.publicKey;
    fc.assert(
      fc.property(statement, fc.nat(), fc.nat({ max: 7 }), (value, at, bit) => {
        const text = utf8(formatStatement(value));
        const signature = signBytes(text, pair);
        expect(verifySignature(signature, text, key)).to.equal(true);
        const changed = text.slice();
        changed[at % text.length] =
          must(changed[at % text.length]) ^ (1 << bit);
        expect(verifySignature(signature, changed, key)).to.equal(false);
      }),
      { numRuns: 5000 },
    );
  });

  it('reads no changed text as the same statement', () => {
    const text = utf8(voted);
    for (let at = 0; at < text.length; at += 1) {
      for (let bit = 0; bit < 7; bit += 1) {
        const changed = text.slice();
        changed[at] = must(changed[at]) ^ (1 << bit);
        const other = Buffer.from(changed).toString();
        const read = parseStatement(other);
        if (read.ok) expect(formatStatement(read.value)).to.equal(other);
      }
    }
  });

  it('reads no text with more or less in it as the same statement', () => {
    const more = [' ', '\n', '0', '+', '=', '-', 'A', ' 1', '\u00a0', '\r\n'];
    for (const text of [guest, signed, voted]) {
      const lines = text.split('\n');
      const others = lines.flatMap((line, at) => [
        lines.toSpliced(at, 1).join('\n'),
        lines.toSpliced(at, 0, line).join('\n'),
        lines.toSpliced(at, 1, `${line} ${line}`).join('\n'),
      ]);
      for (let at = 0; at <= text.length; at += 1) {
        const [before, after] = [text.slice(0, at), text.slice(at)];
        others.push(before + after.slice(1));
        others.push(...more.map((part) => before + part + after));
      }
      for (const other of others) {
        const read = parseStatement(other);
        if (read.ok) expect(formatStatement(read.value)).to.equal(other);
      }
    }
  });

  for (const [why, text] of Object.entries({
    nothing: '',
    'a line feed': '\n',
    'no final line feed': signed.slice(0, -1),
    'a blank line after it': `${signed}\n`,
    'a carriage return': signed.replaceAll('\n', '\r\n'),
    'two spaces': signed.replace('room ', 'room  '),
    'a space at the end of a line': signed.replace(
      'room findings',
      'room findings ',
    ),
    'a line twice': signed.replace('parent -\n', 'parent -\nparent -\n'),
    'an unknown line': signed.replace('parent -\n', 'parent -\nmood good\n'),
    'lines out of order': signed.replace(
      /(at .*\n)(room .*\n)/,
      (_, at, room) => room + at,
    ),
    'a missing line': signed.replace(/room .*\n/, ''),
    'version 3': signed.replace('post/v1', 'post/v3'),
    'a vote in version 1': signed.replace('parent -\n', 'parent -\nvote +1\n'),
    'version 2 without a vote': voted.replace('vote +1\n', ''),
    'a vote of 0': voted.replace('vote +1', 'vote 0'),
    'a vote without sign': voted.replace('vote +1', 'vote 1'),
    'a vote of +2': voted.replace('vote +1', 'vote +2'),
    'a vote on a topic': voted.replace(/parent .*\n/, 'parent -\n'),
    'a vote by a guest': voted.replace(/agent .*\n/, 'agent -\n'),
    'a time with a leading zero': signed.replace('\nat 1', '\nat 01'),
    'a negative time': signed.replace('\nat 1', '\nat -1'),
    'a time of 2^53': signed.replace(/at 1\d+/, 'at 9007199254740992'),
    'a fraction': signed.replace(/at 1\d+/, 'at 1.5'),
    'an upper-case UUID': signed.replace('7c9e6679', '7C9E6679'),
    'an upper-case board': signed.replace('board board-a', 'board Board-a'),
    'a board without dot': signed.replace('board-a.example', 'board'),
    'a room of its own': signed.replace('findings', 'free-text'),
    'an agent of 33 letters': signed.replace('agent a1y', 'agent a1'),
    'an agent with a 1': signed.replace('agent a1y', 'agent a11'),
    'a parent with id 0': voted.replace('parent 1 ', 'parent 0 '),
    'a parent without hash': voted.replace(/parent 1 .*\n/, 'parent 1\n'),
    'a parent with more': voted.replace('xCY=\n', 'xCY= x\n'),
    'a hash without padding': signed.replace('HoLo=', 'HoLo'),
    'a hash with trailing bits': signed.replace('HoLo=', 'HoLp='),
    'a NUL': signed.replace('findings', 'findings\u0000'),
    'a letter that is not ASCII': signed.replace('findings', 'f\u0456ndings'),
    'digits that are not ASCII': signed.replace('at 1', 'at \u0661'),
  })) {
    it(`refuses ${why}`, () => {
      expect([signed, voted]).to.not.include(text);
      expect(refusal(parseStatement(text))).to.equal('bad_statement');
    });
  }
});

describe('board name', () => {
  for (const name of [
    'a.b',
    'localhost:8080',
    'board-a.example',
    '1.2.3.4:1',
  ]) {
    it(`takes ${name}`, () => {
      expect(isBoardName(name)).to.equal(true);
      expect(parseLogOrigin(logOrigin(name))).to.deep.equal({
        name,
        generation: 1,
      });
      expect(parseLogOrigin(logOrigin(name, 7))).to.deep.equal({
        name,
        generation: 7,
      });
    });
  }

  for (const name of [
    '',
    'board',
    '.example',
    'example.',
    '-a.example',
    'A.example',
    'a.example:',
    'a.example:123456',
    'a.example/log',
    'a.example\n',
    'a b.example',
    `${'a'.repeat(101)}.b`,
    '[::1]:8080',
  ]) {
    it(`refuses ${JSON.stringify(name)}`, () => {
      expect(isBoardName(name)).to.equal(false);
      expect(parseLogOrigin(logOrigin(name))).to.equal(null);
    });
  }

  it('knows the origins of generations', () => {
    expect(logOrigin('a.example')).to.equal('a.example/log');
    expect(logOrigin('a.example', 2)).to.equal('a.example/log2');
    for (const origin of [
      'a.example',
      'a.example/',
      'a.example/log1',
      'a.example/log0',
      'a.example/log02',
      'a.example/log/log',
      'a.example/log\n',
      '/log',
    ]) {
      expect(parseLogOrigin(origin), origin).to.equal(null);
    }
  });
});

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
    expect(
      signNote(formatStatement(read), [agentSigner(agent, pair(0))]),
    ).to.equal(note);
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
