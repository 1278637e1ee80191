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

export const PREVIEW = '/write/preview';
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
): Sent => ({
  method: 'POST',
  path,
  type,
  body,
});

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

/** Addresses and parameters by the names that other services have. */
export const NAME_ROWS: Row[] = [
  ['a list of topics', 'not_found', get('/api/topics')],
  ['a list of messages', 'not_found', get('/api/messages')],
  ['a write under /api', 'not_found', json('/api/write/preview', topic())],
  [
    'a rating by another address',
    'not_found',
    json('/api/messages/1/rate', { vote: 1 }),
    { vote: 1 },
  ],
  [
    'a vote as a word',
    'invalid_input',
    json('/api/messages/1/votes/preview', { vote: 'up' }),
  ],
  ['a search by query', 'invalid_input', get('/api/search?query=text')],
  ['a search by Q', 'invalid_input', get('/api/search?Q=text&limit=0')],
];

/** Fields by other names, missing, or of another kind. */
export const FIELD_ROWS: Row[] = [
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
  ['idempotency_key', 'unknown_field', named('request_id', 'idempotency_key')],
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
    'the ID of a message as id',
    'unknown_field',
    json('/api/reports', { ...unnamed, request_id: randomUUID(), id: 1 }),
  ],
  [
    'parent_id beside a long body',
    'unknown_field',
    reply({ parent_id: 1, body: 'x'.repeat(4001) }),
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
];
