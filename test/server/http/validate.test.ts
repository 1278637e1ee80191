import fc from 'fast-check';
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

const poll = (more: object) => ({ poll: { question: 'q', options, ...more } });

/** What is changed of a good body, and the refusal with its field. */
const REFUSED: [string, object, string][] = [
  ['an unknown field', { foo: 1 }, 'unknown_field foo'],
  ['an old field', { rating: 1 }, 'unknown_field rating'],
  ['an unknown field before wrong ones', { body: 1, x: 1 }, 'unknown_field x'],
  ['an unknown field further in', poll({ foo: 1 }), 'unknown_field poll.foo'],
  ['a missing field', { request_id: undefined }, 'invalid_input request_id'],
  ['a number as body', { body: 1 }, 'invalid_input body'],
  ['null as body', { body: null }, 'invalid_input body'],
  ['an empty body', { body: '' }, 'invalid_input body'],
  ['a blank body', { body: ' \n\t' }, 'invalid_input body'],
  ['an invisible body', { body: '\u200b\u2060\ufeff' }, 'invalid_input body'],
  ['wide blanks', { body: '\u3000\u2003\u0085' }, 'invalid_input body'],
  ['a body of tag characters', { body: '\u{e0041}' }, 'invalid_input body'],
  ['a long blank body', { body: ' '.repeat(11) }, 'invalid_input body'],
  ['a long body', { body: 'x'.repeat(11) }, 'too_long body'],
  ['a body of 11 emoji', { body: '😀'.repeat(11) }, 'too_long body'],
  ['a wrong type', { body: 'x'.repeat(11), room: 1 }, 'invalid_input room'],
  ['a short UUID', { request_id: UUID.slice(1) }, 'invalid_input request_id'],
  ['a line end', { request_id: `${UUID}\n` }, 'invalid_input request_id'],
  ['a UUID in braces', { request_id: `{${UUID}}` }, 'invalid_input request_id'],
  ['zero as ID', { reply_to: 0 }, 'invalid_input reply_to'],
  ['a negative ID', { reply_to: -1 }, 'invalid_input reply_to'],
  ['a fraction', { reply_to: 1.5 }, 'invalid_input reply_to'],
  ['an ID as text', { reply_to: '1' }, 'invalid_input reply_to'],
  ['an ID of 16 digits', { reply_to: 1e15 }, 'invalid_input reply_to'],
  ['an unsafe ID', { reply_to: 1e300 }, 'invalid_input reply_to'],
  ['another room', { room: 'Lobby' }, 'invalid_input room'],
  ['null as room', { room: null }, 'invalid_input room'],
  ['another vote', { vote: 2 }, 'invalid_input vote'],
  ['a vote as text', { vote: '1' }, 'invalid_input vote'],
  ['null as vote', { vote: null }, 'invalid_input vote'],
  ['text as poll', { poll: 'x' }, 'invalid_input poll'],
  ['one option', poll({ options: ['a'] }), 'invalid_input poll.options'],
  [
    'a blank option',
    poll({ options: ['a', ' '] }),
    'invalid_input poll.options',
  ],
  ['a long option', poll({ options: ['a', 'long'] }), 'too_long poll.options'],
  ['a long question', poll({ question: 'longer' }), 'too_long poll.question'],
];

describe('parseBody', () => {
  for (const [name, body, refused] of [
    ...REFUSED.map(([name, more, to]) => [name, { ...base, ...more }, to]),
    ...[null, [], 'x', undefined].map((it) => [`${it}`, it, 'invalid_input']),
    ['an empty object', {}, 'invalid_input body'],
  ] as [string, unknown, string][]) {
    it(`refuses ${name} as ${refused}`, () => {
      const { code, extras, detail } = refusal(body);
      const [, field] = refused.split(' ');
      expect([code, extras.field]).to.deep.equal([
        refused.split(' ')[0],
        field,
      ]);
      expect(detail).to.match(/^\S.{10,}\.$/);
      expect(detail).to.contain(field ?? 'The request body');
    });
  }

  it('reports __proto__ as the unknown field it is', () => {
    const text = `{"body":"x","request_id":"${UUID}","__proto__":{}}`;
    const error = refusal(parseStrictJson(Buffer.from(text)));
    expect(error.code).to.equal('unknown_field');
    expect(error.extras.field).to.equal('__proto__');
  });

  for (const [body, detail] of [
    [{ room: 'x' }, '`room` must be one of "lobby", "findings".'],
    [{ vote: 2 }, '`vote` must be one of -1, 0, 1.'],
    [{ reply_to: 'x' }, '`reply_to` must be an integer.'],
    [{ reply_to: 0 }, '`reply_to` must be at least 1.'],
    [poll({ options: ['a'] }), '`poll.options` must have at least 2 items.'],
    [
      { body: '😀'.repeat(11) },
      '`body` has 11 code points and must have at most 10 code points; shorten it.',
    ],
    [
      { request_id: undefined },
      "`request_id` is required and must be a UUID of your own, as python3 -c 'import uuid;print(uuid.uuid4())' makes one.",
    ],
  ] as const) {
    it(`says what is wanted: ${detail}`, () => {
      expect(refusal({ ...base, ...body }).detail).to.equal(detail);
    });
  }

  it('says that it wants an object', () => {
    expect(refusal([]).detail).to.equal(
      'The request body must be a JSON object.',
    );
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
    const either = z.discriminatedUnion('type', [survey, proposal]);
    expect(() =>
      parseBody(z.object({ poll: either }), { poll: { type: 'quiz' } }),
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

describe('codePoints', () => {
  it('counts code points, whatever the text', () => {
    const field = codePoints(5, 'text');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 10 }), (text) => {
        const fits = Array.from(text).length <= 5;
        expect(field.safeParse(text).success).to.equal(fits);
      }),
    );
  });
});
