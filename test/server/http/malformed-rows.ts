import { randomUUID } from '../../support/random.js';
import { SURVEY } from '../polls/polling.js';
import type { Sent } from './literal-reader.js';

export type Fields = Record<string, unknown>;

/** What is sent, the refusal, and what the reader meant to say. */
export type Row = [
  name: string,
  refusal: string,
  send: Sent | (() => Promise<Sent>),
  wants?: Fields,
];

type Tried = [name: string, send: Row[2], wants?: Fields];

export const refusedAs = (refusal: string, tried: Tried[]): Row[] =>
  tried.map(([name, send, wants]) =>
    wants === undefined ? [name, refusal, send] : [name, refusal, send, wants],
  );

export const PREVIEW = '/write/preview';
const FILLED = `${PREVIEW}?body=x&title=y&request_id=${randomUUID()}`;
export const topic = (): Fields => ({
  body: 'A text.',
  request_id: randomUUID(),
  title: 'A title',
});
export const json = (path: string, body: unknown): Sent => ({
  method: 'POST',
  path,
  type: 'application/json',
  body,
});
export const get = (path: string): Sent => ({ method: 'GET', path });

/** A topic with a field under another name, or with another value. */
const named = (right: string, wrong: string, value?: unknown): Sent => {
  const { [right]: known, ...rest } = topic();
  return json(PREVIEW, { ...rest, [wrong]: value ?? known });
};
export const valued = (more: Fields): Sent =>
  json(PREVIEW, { ...topic(), ...more });
export const reply = (more: Fields): Sent => {
  const { body, request_id } = topic();
  return json(PREVIEW, { body, request_id, ...more });
};
export const raw = (
  path: string,
  body: string,
  type = 'application/json',
): Sent => ({ method: 'POST', path, type, body });

export const { body: text, title } = topic();
export const meant = { body: text, title, request_id: randomUUID() };
export const ballot = { option: 'a', request_id: randomUUID() };
export const report = {
  request_id: randomUUID(),
  kind: 'report',
  message_id: 1,
  reason: 'spam',
  detail: 'Why.',
};

const { message_id: _, ...unnamed } = report;

export const NAME_ROWS: Row[] = [
  ...refusedAs('not_found', [
    ['a list of topics', get('/api/topics')],
    ['a list of messages', get('/api/messages')],
    ['a write under /api', json('/api/write/preview', topic())],
    [
      'a rating by another address',
      json('/api/messages/1/rate', { vote: 1 }),
      { vote: 1 },
    ],
  ]),
  ...refusedAs('invalid_input', [
    ['a vote as a word', json('/api/messages/1/votes/preview', { vote: 'up' })],
    ['a search by query', get('/api/search?query=text')],
    ['a search by Q', get('/api/search?Q=text&limit=0')],
  ]),
];

export const FIELD_ROWS: Row[] = [
  ...refusedAs('unknown_field', [
    ['content', named('body', 'content')],
    ['text', named('body', 'text')],
    ['message', named('body', 'message')],
    ['markdown', named('body', 'markdown')],
    ['Body', named('body', 'Body')],
    ['body_text', named('body', 'body_text')],
    ['bdoy', named('body', 'bdoy')],
    ['subject', named('title', 'subject')],
    ['Title', named('title', 'Title')],
    ['titel', named('title', 'titel')],
    ['requestId', named('request_id', 'requestId')],
    ['idempotency_key', named('request_id', 'idempotency_key')],
    ['uuid', named('request_id', 'uuid')],
    ['author', valued({ author: 'me' })],
    ['username', valued({ username: 'me' })],
    ['channel', valued({ channel: 'findings' })],
    ['parent_id', reply({ parent_id: 1 })],
    ['in_reply_to', reply({ in_reply_to: 1 })],
    ['replyTo', reply({ replyTo: 1 })],
    ['rating', reply({ reply_to: 1, rating: 1 })],
    ['a field that nobody knows', valued({ zzz: 1 })],
    ['tags beside room', valued({ room: 'lobby', tag: 'x' })],
    [
      'choices of a poll',
      valued({ poll: { question: 'q', choices: ['a', 'b'] } }),
    ],
    [
      'the ID of a message as id',
      json('/api/reports', { ...unnamed, request_id: randomUUID(), id: 1 }),
    ],
    [
      'parent_id beside a long body',
      reply({ parent_id: 1, body: 'x'.repeat(4001) }),
    ],
    [
      'three faults at once',
      json(PREVIEW, { content: 'x', room: 'Lobby' }),
      meant,
    ],
  ]),
  ...refusedAs('invalid_input', [
    ['nothing at all', json(PREVIEW, {}), meant],
    ['no request_id', json(PREVIEW, { body: text, title }), meant],
    ['no title', reply({}), meant],
    ['a number as body', valued({ body: 7 }), meant],
    ['a blank title', valued({ title: ' ' }), meant],
    ['a request_id that is none', valued({ request_id: 'post-1' }), meant],
    ['reply_to as text', reply({ reply_to: '1' })],
    ['vote as text', reply({ reply_to: 1, vote: '1' })],
    ['another room', valued({ room: 'general' })],
    ['a room in another case', valued({ room: 'Findings' })],
    ['a vote on a topic', valued({ vote: 1 })],
    ['duration as text', valued({ poll: { ...SURVEY, duration_hours: '48' } })],
    ['an array', json(PREVIEW, [topic()]), meant],
    [
      'a string that contains the object',
      raw(PREVIEW, JSON.stringify(JSON.stringify(topic()))),
      meant,
    ],
  ]),
  ...refusedAs('too_long', [
    ['a long body', valued({ body: 'x'.repeat(4001) })],
    ['a long title', valued({ title: 'x'.repeat(181) })],
  ]),
  ...refusedAs('poll_not_allowed_on_reply', [
    ['a poll on a reply', reply({ reply_to: 1, poll: SURVEY })],
  ]),
];

export const ADDRESS_ROWS: Row[] = [
  ...refusedAs('invalid_json', [
    ['a comma too many', raw(PREVIEW, '{"body":"x",}'), meant],
    ['single quotes', raw(PREVIEW, "{'body':'x'}"), meant],
    ['a key twice', raw(PREVIEW, '{"body":"x","body":"y"}'), meant],
    ['an empty body', raw(PREVIEW, ''), meant],
  ]),
  ...refusedAs('unsupported_media_type', [
    [
      'a form',
      raw(PREVIEW, 'body=x&title=y', 'application/x-www-form-urlencoded'),
      meant,
    ],
    ['plain text', raw(PREVIEW, 'Hello', 'text/plain'), meant],
    [
      'JSON under another name',
      raw(PREVIEW, JSON.stringify(topic()), 'text/json'),
      meant,
    ],
  ]),
  ...refusedAs('url_parameters_rejected', [
    ['fields in the URL', json(FILLED, {})],
  ]),
  ...refusedAs('method_not_allowed', [
    ['GET with fields', get(FILLED)],
    ['GET without fields', get(PREVIEW), meant],
    ['GET of the tools', get('/mcp')],
    ['POST to the topics', json('/api/threads', topic()), meant],
    ['POST to a thread', json('/api/thread/1', topic()), meant],
    ['POST to a message', json('/api/messages/1', topic()), meant],
    ['POST to the front page', json('/', topic()), meant],
    ['POST to a poll', json('/api/polls/1', ballot), ballot],
    ['POST to the decisions', json('/api/moderation', report), report],
  ]),
  ...refusedAs('not_found', [
    ['POST to messages', json('/api/messages', topic()), meant],
    ['POST to posts', json('/api/posts', topic()), meant],
    ['POST to /publish', json('/publish', topic()), meant],
    ['a path in another case', get('/api/Threads')],
    ['a final slash', get('/api/threads/')],
    ['the singular', get('/api/message/1')],
    ['an unknown page, read as JSON', get('/help')],
    ['an address that nothing resembles', get('/api/v1/invoices')],
    ['a tile without zeros', get('/log/tile/entries/0.p/1')],
  ]),
  ...refusedAs('invalid_input', [
    ['limit=0', get('/api/threads?limit=0')],
    [
      'limit and room wrong',
      get('/api/threads?limit=abc&room=Lobby&sort=newest'),
    ],
    ['wait=60', get('/api/updates?since=0&wait=60')],
    ['a search for nothing', get('/api/search'), { q: 'text' }],
  ]),
];

const VOTING = '/api/polls/1/votes/preview';
const RATING = '/api/messages/1/votes';
const reporting = (more: Fields, path = '/api/reports'): Sent =>
  json(path, { ...report, request_id: randomUUID(), ...more });

export const LATER_ROWS: Row[] = [
  ...refusedAs('unknown_field', [
    ['score in place of vote', json(`${RATING}/preview`, { score: 1 })],
    [
      'choice in place of option',
      json(VOTING, { choice: 'a', request_id: randomUUID() }),
    ],
    ['details of a report', reporting({ detail: undefined, details: 'x' })],
    ['a ballot to the second step', json('/api/polls/1/votes', ballot), ballot],
    ['a rating to the second step', json(RATING, { vote: 1 }), { vote: 1 }],
    ['a message to the second step', json('/write/publish', topic()), meant],
  ]),
  ...refusedAs('invalid_input', [
    ['vote 2', json(`${RATING}/preview`, { vote: 2 }), { vote: 1 }],
    ['a reason that is none', reporting({ reason: 'Spam' })],
    ['message_id as text', reporting({ message_id: '1' })],
    ['an option in another case', json(VOTING, { ...ballot, option: 'A' })],
    ['the number of an option', json(VOTING, { ...ballot, option: 0 }), ballot],
    [
      'the template of a reply as it is',
      reply({ reply_to: 1, body: 'YOUR_TEXT' }),
      meant,
    ],
  ]),
  ...refusedAs('not_found', [
    [
      'a vote in the singular',
      json('/api/messages/1/vote', { vote: 1 }),
      { vote: 1 },
    ],
    [
      'a ballot to a misspelt address',
      json('/api/polls/1/vots', ballot),
      ballot,
    ],
    ['a thread without its ID', get('/api/thread')],
    ['a path without /api', get('/threads')],
    ['a report to another address', reporting({}, '/api/report')],
  ]),
];
