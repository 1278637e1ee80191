import fc from 'fast-check';
import {
  concat,
  equalBytes,
  toBase64,
  toHex,
  utf8,
} from '../../protocol/bytes.js';
import {
  type Content,
  contentFromJson,
  contentHash,
  contentToJson,
  formatContentBlock,
} from '../../protocol/content.js';
import { content } from './support/arbitraries.js';
import { refusal, taken, vectors } from './support/vectors.js';

const SALT = 'AAAAAAAAAAAAAAAAAAAAAA==';
const plain = { salt: SALT, name: 'n', body: 'b' };
const poll = { question: 'q', options: ['a', 'b'], duration_hours: 24 };

/** The block word for word as spec/mesh.md §B3 has it. */
function wordForWord(content: Content): Uint8Array {
  const { salt, name, title, body, poll } = content;
  const { question, options = [], duration_hours, kind, summary } = poll ?? {};
  const fields: [string, Uint8Array | string | undefined][] = [
    ['salt', salt],
    ['name', name],
    ['title', title],
    ['body', body],
    ['poll-question', question],
    ...options.map((option): [string, string] => ['poll-option', option]),
    ['poll-hours', duration_hours?.toString()],
    ['poll-kind', kind],
    ['poll-summary', summary],
  ];
  const parts = fields.flatMap(([label, value]) => {
    if (value === undefined) return [];
    const bytes = typeof value === 'string' ? utf8(value) : value;
    return [utf8(`${label} ${bytes.length}\n`), bytes, utf8('\n')];
  });
  return concat(utf8('reserve-board/content/v1\n'), ...parts);
}

describe('content', () => {
  it('makes the block of any content field by field', () => {
    fc.assert(
      fc.property(content, (one) => {
        expect(formatContentBlock(one)).to.deep.equal(wordForWord(one));
      }),
    );
  });

  it('refuses a block over 24 KiB to the byte, in any script', () => {
    const rest = formatContentBlock({
      salt: new Uint8Array(16),
      name: 'n',
      body: '',
    });
    for (const letter of ['b', '\u00e9', '\u96ea', '\u{1f600}']) {
      const each = utf8(letter).length;
      const most = Math.floor((24_576 - rest.length - 4) / each);
      const fits = { ...plain, body: letter.repeat(most) };
      expect(contentFromJson(fits).ok).to.equal(true);
      const over = { ...plain, body: letter.repeat(most + 2) };
      const size = formatContentBlock({ ...over, salt: new Uint8Array(16) });
      expect(contentFromJson(over).ok).to.equal(size.length <= 24_576);
      const far = { ...plain, body: letter.repeat(most + 8) };
      expect(contentFromJson(far).ok).to.equal(false);
    }
  });

  it('has the blocks and hashes of the vectors', () => {
    for (const message of vectors.messages) {
      const read = taken(contentFromJson(message.content));
      const bytes = formatContentBlock(read);
      expect(toHex(bytes)).to.equal(message.content_block_hex);
      expect(toBase64(contentHash(read))).to.equal(message.content_sha256_b64);
      expect(contentToJson(read)).to.deep.equal(message.content);
    }
  });

  it('reads every JSON form that it writes', () => {
    fc.assert(
      fc.property(content, (value) => {
        const json = JSON.parse(JSON.stringify(contentToJson(value)));
        expect(taken(contentFromJson(json))).to.deep.equal(value);
      }),
    );
  });

  it('gives different contents different blocks', () => {
    fc.assert(
      fc.property(content, content, (a, b) => {
        fc.pre(
          JSON.stringify(contentToJson(a)) !== JSON.stringify(contentToJson(b)),
        );
        const same = equalBytes(formatContentBlock(a), formatContentBlock(b));
        expect(same).to.equal(false);
      }),
    );
  });

  it('ends at 24 KiB', () => {
    const bare = formatContentBlock(taken(contentFromJson(plain))).length;
    // The body's length line grows from 1 digit to 5.
    const room = 24_576 - bare - 4 + 1;
    const most = { ...plain, body: 'x'.repeat(room) };
    const over = { ...plain, body: 'x'.repeat(room + 1) };
    const read = taken(contentFromJson(most));
    expect(formatContentBlock(read)).to.have.length(24_576);
    expect(refusal(contentFromJson(over))).to.equal('bad_content');
  });

  for (const [why, json] of Object.entries({
    null: null,
    'an array': [],
    'a string': 'text',
    'no salt': { name: 'n', body: 'b' },
    'a salt of 15 bytes': { ...plain, salt: 'AAAAAAAAAAAAAAAAAAAA' },
    'a salt with trailing bits': { ...plain, salt: SALT.replace('A=', 'B=') },
    'a number for a body': { ...plain, body: 1 },
    'a null title': { ...plain, title: null },
    'an unknown field': { ...plain, extra: '' },
    'a __proto__ field': JSON.parse(
      `{"salt":"${SALT}","name":"n","body":"b","__proto__":{}}`,
    ),
    'an unpaired surrogate': { ...plain, body: '\ud83d' },
    'a poll with one option': { ...plain, poll: { ...poll, options: ['a'] } },
    'nine options': {
      ...plain,
      poll: { ...poll, options: Array.from('abcdefghi') },
    },
    'options and a kind': { ...plain, poll: { ...poll, kind: 'rule' } },
    'a kind without summary': {
      ...plain,
      poll: { question: 'q', duration_hours: 24, kind: 'rule' },
    },
    'hours that are no integer': {
      ...plain,
      poll: { ...poll, duration_hours: 1.5 },
    },
    'hours as text': { ...plain, poll: { ...poll, duration_hours: '24' } },
    'an unknown poll field': { ...plain, poll: { ...poll, type: 'survey' } },
  })) {
    it(`refuses JSON with ${why}`, () => {
      expect(refusal(contentFromJson(json))).to.equal('bad_content');
    });
  }
});
