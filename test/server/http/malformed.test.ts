import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';
import { boardForAllTests } from '../../support/hooks.js';
import { filled, preview, publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { SURVEY, UNLIMITED } from '../polls/polling.js';
import { ratingTicket } from '../votes/rating.js';
import { nextTry, type Sent } from './literal-reader.js';

type Fields = Record<string, unknown>;

/** What is sent, the refusal, and what the reader meant to say. */
type Row = [
  name: string,
  refusal: string,
  send: Sent | (() => Promise<Sent>),
  wants?: Fields,
];

const PREVIEW = '/write/preview';
const topic = (): Fields => ({
  body: 'A text.',
  request_id: randomUUID(),
  title: 'A title',
});
const json = (path: string, body: unknown): Sent => ({
  method: 'POST',
  path,
  type: 'application/json',
  body,
});
const get = (path: string): Sent => ({ method: 'GET', path });

/** A topic with a field under another name, or with another value. */
const named = (right: string, wrong: string, value?: unknown): Sent => {
  const { [right]: known, ...rest } = topic();
  return json(PREVIEW, { ...rest, [wrong]: value ?? known });
};
const valued = (more: Fields): Sent => json(PREVIEW, { ...topic(), ...more });
const reply = (more: Fields): Sent => {
  const { body, request_id } = topic();
  return json(PREVIEW, { body, request_id, ...more });
};
const raw = (path: string, body: string, type = 'application/json'): Sent => ({
  method: 'POST',
  path,
  type,
  body,
});

describe('sixty and more malformed requests', () => {
  let test: TestBoard;
  let n = 0;

  boardForAllTests({ limits: UNLIMITED }, async (made) => {
    test = made;
    await publish(test, { poll: SURVEY });
  });

  const asked = async ({ method, path, type, body }: Sent) => {
    n += 1;
    const from = `198.51.100.${n % 250}`;
    if (method === 'GET')
      return await test
        .as('198.51.100.1')
        .get(path)
        .set('Accept', 'application/json');
    const request = test.as(from).post(path);
    if (type !== undefined) request.set('Content-Type', type);
    const isText = typeof body === 'string';
    return await request.send(isText ? body : JSON.stringify(body));
  };

  const published = async (
    more: (template: Fields) => Fields,
  ): Promise<Sent> => {
    const previewed = await preview(test, {});
    return json('/write/publish', more(filled(previewed)));
  };

  const { body: text, title } = topic();
  const meant = { body: text, title, request_id: randomUUID() };
  const ballot = { option: 'a', request_id: randomUUID() };
  const report = {
    request_id: randomUUID(),
    kind: 'report',
    message_id: 1,
    reason: 'spam',
    detail: 'Why.',
  };

  const ROWS: Row[] = [
    // Fields by other names.
    ['content', 'unknown_field', named('body', 'content')],
    ['text', 'unknown_field', named('body', 'text')],
    ['message', 'unknown_field', named('body', 'message')],
    ['markdown', 'unknown_field', named('body', 'markdown')],
    ['Body', 'unknown_field', named('body', 'Body')],
    ['body_text', 'unknown_field', named('body', 'body_text')],
    ['bdoy', 'unknown_field', named('body', 'bdoy')],
    ['subject', 'unknown_field', named('title', 'subject')],
    ['Title', 'unknown_field', named('title', 'Title')],
    ['titel', 'unknown_field', named('title', 'titel')],
    ['requestId', 'unknown_field', named('request_id', 'requestId')],
    [
      'idempotency_key',
      'unknown_field',
      named('request_id', 'idempotency_key'),
    ],
    ['uuid', 'unknown_field', named('request_id', 'uuid')],
    ['author', 'unknown_field', valued({ author: 'me' })],
    ['username', 'unknown_field', valued({ username: 'me' })],
    ['channel', 'unknown_field', valued({ channel: 'findings' })],
    ['parent_id', 'unknown_field', reply({ parent_id: 1 })],
    ['in_reply_to', 'unknown_field', reply({ in_reply_to: 1 })],
    ['replyTo', 'unknown_field', reply({ replyTo: 1 })],
    ['rating', 'unknown_field', reply({ reply_to: 1, rating: 1 })],
    ['a field that nobody knows', 'unknown_field', valued({ zzz: 1 })],
    ['tags beside room', 'unknown_field', valued({ room: 'lobby', tag: 'x' })],
    [
      'choices of a poll',
      'unknown_field',
      valued({ poll: { question: 'q', choices: ['a', 'b'] } }),
    ],
    [
      'three faults at once',
      'unknown_field',
      json(PREVIEW, { content: 'x', room: 'Lobby' }),
      meant,
    ],
    // Missing, or of another kind.
    ['nothing at all', 'invalid_input', json(PREVIEW, {}), meant],
    [
      'no request_id',
      'invalid_input',
      json(PREVIEW, { body: text, title }),
      meant,
    ],
    ['no title', 'invalid_input', reply({}), meant],
    ['a number as body', 'invalid_input', valued({ body: 7 }), meant],
    ['a blank title', 'invalid_input', valued({ title: ' ' }), meant],
    [
      'a request_id that is none',
      'invalid_input',
      valued({ request_id: 'post-1' }),
      meant,
    ],
    ['reply_to as text', 'invalid_input', reply({ reply_to: '1' })],
    ['vote as text', 'invalid_input', reply({ reply_to: 1, vote: '1' })],
    ['another room', 'invalid_input', valued({ room: 'general' })],
    ['a room in another case', 'invalid_input', valued({ room: 'Findings' })],
    ['a long body', 'too_long', valued({ body: 'x'.repeat(4001) })],
    ['a long title', 'too_long', valued({ title: 'x'.repeat(181) })],
    ['a vote on a topic', 'invalid_input', valued({ vote: 1 })],
    [
      'a poll on a reply',
      'poll_not_allowed_on_reply',
      reply({ reply_to: 1, poll: SURVEY }),
    ],
    [
      'duration as text',
      'invalid_input',
      valued({ poll: { ...SURVEY, duration_hours: '48' } }),
    ],
    ['an array', 'invalid_input', json(PREVIEW, [topic()]), meant],
    [
      'a string that contains the object',
      'invalid_input',
      raw(PREVIEW, JSON.stringify(JSON.stringify(topic()))),
      meant,
    ],
    // What is no JSON.
    ['a comma too many', 'invalid_json', raw(PREVIEW, '{"body":"x",}'), meant],
    ['single quotes', 'invalid_json', raw(PREVIEW, "{'body':'x'}"), meant],
    [
      'a key twice',
      'invalid_json',
      raw(PREVIEW, '{"body":"x","body":"y"}'),
      meant,
    ],
    ['an empty body', 'invalid_json', raw(PREVIEW, ''), meant],
    [
      'a form',
      'unsupported_media_type',
      raw(PREVIEW, 'body=x&title=y', 'application/x-www-form-urlencoded'),
      meant,
    ],
    [
      'plain text',
      'unsupported_media_type',
      raw(PREVIEW, 'Hello', 'text/plain'),
      meant,
    ],
    [
      'JSON under another name',
      'unsupported_media_type',
      raw(PREVIEW, JSON.stringify(topic()), 'text/json'),
      meant,
    ],
    [
      'fields in the URL',
      'url_parameters_rejected',
      json(`${PREVIEW}?body=x&title=y&request_id=${randomUUID()}`, {}),
    ],
    // Other methods and addresses.
    [
      'GET with fields',
      'method_not_allowed',
      get(`${PREVIEW}?body=x&title=y&request_id=${randomUUID()}`),
    ],
    ['GET without fields', 'method_not_allowed', get(PREVIEW), meant],
    ['GET of the tools', 'method_not_allowed', get('/mcp')],
    [
      'POST to the topics',
      'method_not_allowed',
      json('/api/threads', topic()),
      meant,
    ],
    [
      'POST to a thread',
      'method_not_allowed',
      json('/api/thread/1', topic()),
      meant,
    ],
    [
      'POST to a message',
      'method_not_allowed',
      json('/api/messages/1', topic()),
      meant,
    ],
    ['POST to the front page', 'method_not_allowed', json('/', topic()), meant],
    ['POST to messages', 'not_found', json('/api/messages', topic()), meant],
    ['POST to posts', 'not_found', json('/api/posts', topic()), meant],
    ['POST to /publish', 'not_found', json('/publish', topic()), meant],
    [
      'POST to a poll',
      'method_not_allowed',
      json('/api/polls/1', ballot),
      ballot,
    ],
    [
      'POST to the decisions',
      'method_not_allowed',
      json('/api/moderation', report),
      report,
    ],
    ['a path in another case', 'not_found', get('/api/Threads')],
    ['a final slash', 'not_found', get('/api/threads/')],
    ['the singular', 'not_found', get('/api/message/1')],
    ['an unknown page, read as JSON', 'not_found', get('/help')],
    ['an address that nothing resembles', 'not_found', get('/api/v1/users')],
    ['a tile without zeros', 'not_found', get('/log/tile/entries/0.p/1')],
    // Reads.
    ['limit=0', 'invalid_input', get('/api/threads?limit=0')],
    [
      'limit and room wrong',
      'invalid_input',
      get('/api/threads?limit=abc&room=Lobby&sort=newest'),
    ],
    ['wait=60', 'invalid_input', get('/api/updates?since=0&wait=60')],
    [
      'a search for nothing',
      'invalid_input',
      get('/api/search'),
      { q: 'text' },
    ],
    // The later steps.
    [
      'a name of another field in publish',
      'unknown_field',
      () => published(({ ticket, ...rest }) => ({ ...rest, token: ticket })),
    ],
    [
      'an answer with spaces',
      'wrong_answer',
      () =>
        published((it) => ({
          ...it,
          answer: String(it.answer).replace('-', ' - '),
        })),
    ],
    [
      'no confirmation',
      'confirmation_required',
      () => published(({ confirm: _, ...it }) => it),
    ],
    [
      'confirm: true',
      'invalid_input',
      () => published((it) => ({ ...it, confirm: true })),
      { confirm: 'publish-publicly' },
    ],
    [
      'vote 2',
      'invalid_input',
      json('/api/messages/1/votes/preview', { vote: 2 }),
      { vote: 1 },
    ],
    [
      'score in place of vote',
      'unknown_field',
      json('/api/messages/1/votes/preview', { score: 1 }),
    ],
    [
      'choice in place of option',
      'unknown_field',
      json('/api/polls/1/votes/preview', {
        choice: 'a',
        request_id: randomUUID(),
      }),
    ],
    [
      'details of a report',
      'unknown_field',
      json('/api/reports', {
        ...report,
        request_id: randomUUID(),
        detail: undefined,
        details: 'x',
      }),
    ],
    [
      'a reason that is none',
      'invalid_input',
      json('/api/reports', {
        ...report,
        request_id: randomUUID(),
        reason: 'Spam',
      }),
    ],
    [
      'message_id as text',
      'invalid_input',
      json('/api/reports', {
        ...report,
        request_id: randomUUID(),
        message_id: '1',
      }),
    ],
    [
      'a vote in the singular',
      'not_found',
      json('/api/messages/1/vote', { vote: 1 }),
      { vote: 1 },
    ],
    [
      'a ballot to a misspelt address',
      'not_found',
      json('/api/polls/1/vots', ballot),
      ballot,
    ],
    ['a thread without its ID', 'not_found', get('/api/thread')],
    ['a path without /api', 'not_found', get('/threads')],
    [
      'an option in another case',
      'invalid_input',
      json('/api/polls/1/votes/preview', { ...ballot, option: 'A' }),
    ],
    [
      'the number of an option',
      'invalid_input',
      json('/api/polls/1/votes/preview', { ...ballot, option: 0 }),
      ballot,
    ],
    [
      'the template of a reply as it is',
      'invalid_input',
      reply({ reply_to: 1, body: 'YOUR_TEXT' }),
      meant,
    ],
    [
      'a ticket in quotes',
      'ticket_invalid',
      () => published((it) => ({ ...it, ticket: `"${it.ticket}"` })),
    ],
    [
      'a ballot to the second step',
      'unknown_field',
      json('/api/polls/1/votes', ballot),
      ballot,
    ],
    [
      'a rating to the second step',
      'unknown_field',
      json('/api/messages/1/votes', { vote: 1 }),
      { vote: 1 },
    ],
    [
      'a message to the second step',
      'unknown_field',
      json('/write/publish', topic()),
      meant,
    ],
    [
      'a report to another address',
      'not_found',
      json('/api/report', { ...report, request_id: randomUUID() }),
    ],
  ];

  it('are more than sixty', () => {
    expect(ROWS).to.have.length.above(60);
    expect(new Set(ROWS.map(([name]) => name)).size).to.equal(ROWS.length);
  });

  it('says of which kind a ticket is that comes to another address', async () => {
    const vote = await ratingTicket(test, 1, 1);
    const publishing = { ...vote, confirm: 'publish-publicly' };
    const other = await asked(json('/write/publish', publishing));
    expect(other.body.error).to.equal('ticket_invalid');
    expect(other.body.detail).to.include('looks like one of a vote');
    const { ticket, answer } = filled(await preview(test, {}));
    const votes = await asked(
      json('/api/messages/1/votes', { ticket, answer }),
    );
    expect(votes.body.error).to.equal('ticket_invalid');
    expect(votes.body.detail).to.include('looks like one of a message');
    for (const { body } of [other, votes]) {
      expect(body.detail).to.include('publish.url');
    }
  });

  it('says that an answer is a placeholder, which costs no attempt', async () => {
    const right = await published((it) => it);
    const fields = right.body as Fields;
    const sent = (answer: string) =>
      asked(json('/write/publish', { ...fields, answer }));
    for (const answer of ['YOUR_ANSWER', '<answer>']) {
      const { body } = await sent(answer);
      expect(body).to.include({ error: 'wrong_answer', attempts_left: 5 });
      expect(body.detail).to.include('placeholder');
    }
    expect((await sent('x')).body.attempts_left).to.equal(4);
    expect((await asked(right)).status).to.equal(201);
  });

  it('name at most twenty faults, however many there are', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`field${at}`, at]),
    );
    const { body } = await asked(json(PREVIEW, many));
    expect(body.faults).to.have.length(20);
  });

  for (const [name, refusal, send, wants = {}] of ROWS) {
    it(`${name}: ${refusal}, and the next try is right`, async () => {
      const sent = typeof send === 'function' ? await send() : send;
      const refused = await asked(sent);
      expect(refused.body.error, refused.text).to.equal(refusal);
      const { faults, detail } = refused.body;
      if (faults !== undefined) {
        expect(faults[0]).to.deep.include({ error: refusal, detail });
      }
      const next = nextTry(sent, refused.body, wants);
      const answer = await asked(next);
      expect(
        answer.status,
        `${JSON.stringify(next)} ${answer.text}`,
      ).to.be.oneOf([200, 201]);
    });
  }
});
