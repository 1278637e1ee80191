import { expect } from 'chai';
import { z } from 'zod';
import { BoardError } from '../../../server/errors.js';
import { parseStrictJson } from '../../../server/http/body/strict-json.js';
import {
  codePoints,
  notBlank,
  parseBody,
  positiveId,
  uuid,
} from '../../../server/http/body/validate.js';

const UUID = '11111111-1111-1111-1111-111111111111';

const schema = z.strictObject({
  body: notBlank(codePoints(10, 'body')),
  request_id: uuid,
  reply_to: positiveId.nullable().optional(),
  room: z.enum(['lobby', 'findings']).optional(),
  vote: z.union([z.literal(-1), z.literal(0), z.literal(1)]).optional(),
  poll: z
    .union([
      z.strictObject({
        question: notBlank(codePoints(5)),
        options: z
          .array(notBlank(codePoints(3)))
          .min(2)
          .max(8),
      }),
      z.strictObject({ type: z.literal('proposal'), question: codePoints(5) }),
    ])
    .optional(),
});

const base = { body: 'x', request_id: UUID };
const options = ['a', 'b'];

function refusal(body: unknown): BoardError {
  try {
    parseBody(schema, body);
  } catch (error) {
    if (error instanceof BoardError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

const REFUSED: [string, unknown, string, string?][] = [
  ['null', null, 'invalid_input'],
  ['an array', [], 'invalid_input'],
  ['a string', 'x', 'invalid_input'],
  ['nothing', undefined, 'invalid_input'],
  ['an empty object', {}, 'invalid_input', 'body'],
  ['a missing field', { body: 'x' }, 'invalid_input', 'request_id'],
  ['an unknown field', { ...base, foo: 1 }, 'unknown_field', 'foo'],
  ['an old field', { ...base, rating: 1 }, 'unknown_field', 'rating'],
  [
    'an unknown field before the wrong ones',
    { body: 1, foo: 1 },
    'unknown_field',
    'foo',
  ],
  [
    'an unknown field further in',
    { ...base, poll: { question: 'q', options, foo: 1 } },
    'unknown_field',
    'poll.foo',
  ],
  ['a number as body', { ...base, body: 1 }, 'invalid_input', 'body'],
  ['null as body', { ...base, body: null }, 'invalid_input', 'body'],
  ['an empty body', { ...base, body: '' }, 'invalid_input', 'body'],
  ['a blank body', { ...base, body: ' \n\t' }, 'invalid_input', 'body'],
  [
    'an invisible body',
    { ...base, body: '\u200b\u2060\ufeff' },
    'invalid_input',
    'body',
  ],
  [
    'a body of wide blanks',
    { ...base, body: '\u3000\u2003\u0085' },
    'invalid_input',
    'body',
  ],
  [
    'a body of tag characters',
    { ...base, body: '\u{e0041}' },
    'invalid_input',
    'body',
  ],
  [
    'a blank body that is too long',
    { ...base, body: ' '.repeat(11) },
    'invalid_input',
    'body',
  ],
  ['a long body', { ...base, body: 'x'.repeat(11) }, 'too_long', 'body'],
  [
    'a body of 11 emoji',
    { ...base, body: '😀'.repeat(11) },
    'too_long',
    'body',
  ],
  [
    'a wrong type beside a long one',
    { ...base, body: 'x'.repeat(11), room: 1 },
    'invalid_input',
    'room',
  ],
  [
    'a short UUID',
    { ...base, request_id: UUID.slice(1) },
    'invalid_input',
    'request_id',
  ],
  [
    'a UUID with a line end',
    { ...base, request_id: `${UUID}\n` },
    'invalid_input',
    'request_id',
  ],
  [
    'a UUID in braces',
    { ...base, request_id: `{${UUID}}` },
    'invalid_input',
    'request_id',
  ],
  ['zero as ID', { ...base, reply_to: 0 }, 'invalid_input', 'reply_to'],
  ['a negative ID', { ...base, reply_to: -1 }, 'invalid_input', 'reply_to'],
  ['a fraction', { ...base, reply_to: 1.5 }, 'invalid_input', 'reply_to'],
  ['an ID as text', { ...base, reply_to: '1' }, 'invalid_input', 'reply_to'],
  [
    'an ID of 16 digits',
    { ...base, reply_to: 1e15 },
    'invalid_input',
    'reply_to',
  ],
  ['an unsafe ID', { ...base, reply_to: 1e300 }, 'invalid_input', 'reply_to'],
  ['another room', { ...base, room: 'Lobby' }, 'invalid_input', 'room'],
  ['null as room', { ...base, room: null }, 'invalid_input', 'room'],
  ['another vote', { ...base, vote: 2 }, 'invalid_input', 'vote'],
  ['a vote as text', { ...base, vote: '1' }, 'invalid_input', 'vote'],
  ['null as vote', { ...base, vote: null }, 'invalid_input', 'vote'],
  ['text as poll', { ...base, poll: 'x' }, 'invalid_input', 'poll'],
  [
    'one option',
    { ...base, poll: { question: 'q', options: ['a'] } },
    'invalid_input',
    'poll.options',
  ],
  [
    'a blank option',
    { ...base, poll: { question: 'q', options: ['a', ' '] } },
    'invalid_input',
    'poll.options',
  ],
  [
    'a long option',
    { ...base, poll: { question: 'q', options: ['a', 'long'] } },
    'too_long',
    'poll.options',
  ],
  [
    'a long question',
    { ...base, poll: { question: 'longer', options } },
    'too_long',
    'poll.question',
  ],
];

describe('parseBody', () => {
  for (const [name, body, code, field] of REFUSED) {
    it(`refuses ${name} as ${code}`, () => {
      const error = refusal(body);
      expect(error.code).to.equal(code);
      expect(error.extras.field).to.equal(field);
      expect(error.detail).to.match(/^\S.{10,}\.$/);
      expect(error.detail).to.contain(field ?? 'The request body');
    });
  }

  it('reports __proto__ as the unknown field it is', () => {
    const text = `{"body":"x","request_id":"${UUID}","__proto__":{}}`;
    const error = refusal(parseStrictJson(Buffer.from(text)));
    expect(error.code).to.equal('unknown_field');
    expect(error.extras.field).to.equal('__proto__');
  });

  it('says what is wanted', () => {
    const detail = (body: unknown) => refusal(body).detail;
    expect(detail({ ...base, room: 'x' })).to.equal(
      '`room` must be one of "lobby", "findings".',
    );
    expect(detail({ ...base, vote: 2 })).to.equal(
      '`vote` must be one of -1, 0, 1.',
    );
    expect(detail({ ...base, reply_to: 'x' })).to.equal(
      '`reply_to` must be an integer.',
    );
    expect(detail({ ...base, body: '😀'.repeat(11) })).to.equal(
      '`body` has 11 code points and must have at most 10 code points; shorten it.',
    );
    expect(detail({ body: 'x' })).to.equal(
      '`request_id` is required and must be a string.',
    );
    expect(detail({ ...base, reply_to: 0 })).to.equal(
      '`reply_to` must be at least 1.',
    );
    const one = { question: 'q', options: ['a'] };
    expect(detail({ ...base, poll: one })).to.equal(
      '`poll.options` must have at least 2 items.',
    );
    expect(detail([])).to.equal('The request body must be a JSON object.');
  });

  it('tells the form of a day by an example', () => {
    const day = z.strictObject({ from: z.iso.date() });
    const bad = () => parseBody(day, { from: '2026-02-30' });
    expect(bad).to.throw(
      BoardError,
      '`from` must be a day such as 2026-11-21.',
    );
  });

  it('names the values that tell a union apart', () => {
    const survey = z.object({ type: z.literal('survey').optional() });
    const proposal = z.object({ type: z.literal('proposal') });
    const poll = z.discriminatedUnion('type', [survey, proposal]);
    expect(() =>
      parseBody(z.object({ poll }), { poll: { type: 'quiz' } }),
    ).to.throw(BoardError, '`poll.type` must be one of "survey", "proposal".');
  });

  it('never repeats a long or malformed key in full', () => {
    const key = `${'k'.repeat(500)}\ud800`;
    const error = refusal({ ...base, [key]: 1 });
    expect(error.extras.field).to.equal('k'.repeat(128));
    const odd = refusal({ ...base, 'a\ud800': 1 });
    expect(odd.extras.field).to.equal('a\ufffd');
  });

  it('keeps strings exactly and lower-cases UUIDs', () => {
    const body = ' a\u200b\r\né ';
    const request_id = 'ABCDEF01-0000-0000-0000-00000000000A';
    const value = parseBody(schema, { body, request_id, reply_to: null });
    expect(value).to.deep.equal({
      body,
      request_id: request_id.toLowerCase(),
      reply_to: null,
    });
  });

  it('takes 1.0 as the integer 1', () => {
    const text = `{"body":"x","request_id":"${UUID}","reply_to":1.0,"vote":-0}`;
    const value = parseBody(schema, parseStrictJson(Buffer.from(text)));
    expect(value.reply_to).to.equal(1);
    expect(value.vote).to.equal(0);
  });
});
