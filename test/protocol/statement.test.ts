import { expect } from 'chai';
import fc from 'fast-check';
import {
  isBoardName,
  logOrigin,
  parseLogOrigin,
} from '../../protocol/board-name.js';
import { toBase64, utf8 } from '../../protocol/bytes.js';
import { signBytes, verifySignature } from '../../protocol/signing.js';
import {
  formatStatement,
  messageHash,
  parseStatement,
} from '../../protocol/statement.js';
import { statement } from './support/arbitraries.js';
import { must, refusal, taken, testPair, vectors } from './support/vectors.js';

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
