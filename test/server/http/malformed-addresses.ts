import { randomUUID } from '../../support/random.js';
import {
  ballot,
  get,
  json,
  meant,
  PREVIEW,
  type Row,
  raw,
  report,
  topic,
} from './malformed-rows.js';

/** Bodies that are no JSON, other methods and addresses, and reads. */
export const ADDRESS_ROWS: Row[] = [
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
  ['a search for nothing', 'invalid_input', get('/api/search'), { q: 'text' }],
];
