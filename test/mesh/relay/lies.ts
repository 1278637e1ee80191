import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

type Lie = (res: ServerResponse) => void;
const json = (status: number, body: string, more: object = {}): Lie => {
  return (res) => {
    const headers = { 'Content-Type': 'application/json', ...more };
    res.writeHead(status, headers).end(body);
  };
};
const refusal = (status: number, more: object, error = 'bad_note'): Lie =>
  json(status, JSON.stringify({ error, detail: 'No.', ...more }));
const funnel = (routing: unknown): Lie =>
  refusal(409, { routing }, 'funnel_thread_changed');
const HASH = `${'A'.repeat(43)}=`;
const TARGET = { target_id: 1, parent_hash: HASH, phrase: 'x', reason: 'y' };

/** Answers of a board that posts are handed in to, and what the agent is told. */
export const LIES: Record<string, [lie: Lie, status: number]> = {
  'nothing at all': [json(201, ''), 502],
  null: [json(200, 'null'), 502],
  'a list': [json(201, '[]'), 502],
  'lists within lists': [json(201, '['.repeat(60_000)), 502],
  'closed lists within lists': [
    json(201, '['.repeat(60_000) + ']'.repeat(60_000)),
    502,
  ],
  'no JSON': [json(201, '{"status":"published"'), 502],
  'a parent of all objects': [json(201, '{"__proto__":{"status":"x"}}'), 502],
  'no text': [json(201, Buffer.alloc(64, 0xff).toString('latin1')), 502],
  'more than there may be': [json(201, 'x'.repeat(300_000)), 202],
  'a bomb': [
    (res) => {
      const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20));
      res.writeHead(201, { 'Content-Encoding': 'gzip' }).end(bomb);
    },
    202,
  ],
  'what is packed twice': [
    (res) => {
      const twice = gzipSync(gzipSync('{}'));
      res.writeHead(201, { 'Content-Encoding': 'gzip, gzip' }).end(twice);
    },
    202,
  ],
  'an unknown packing': [json(201, '{}', { 'Content-Encoding': 'br' }), 202],
  'a line that is cut': [
    (res) => {
      res.writeHead(201, { 'Content-Length': 1000 }).write('{');
      setImmediate(() => res.destroy());
    },
    202,
  ],
  'a redirect': [json(307, '', { Location: 'http://127.0.0.1:1/' }), 202],
  'a redirect to itself': [json(308, '', { Location: '/api/mesh/relay' }), 202],
  'no content': [json(204, ''), 202],
  'a status of its own': [refusal(599, {}), 202],
  'an error of a thousand letters': [refusal(400, {}, 'e'.repeat(1000)), 202],
  'an error that is a list': [json(400, '{"error":[1],"detail":"x"}'), 202],
  'half a letter': [json(400, '{"error":"\\ud800","detail":"\\u0000"}'), 502],
  'a script': [refusal(400, { detail: '<script>alert(1)</script>' }), 502],
  'an escape': [refusal(400, { detail: '\u001b[2J\u202e' }), 502],
  'our own members': [
    refusal(400, { status: 200, request_id: 1, origin_error: {}, field: 7 }),
    502,
  ],
  'much more than a refusal': [refusal(400, { see: 'x'.repeat(100_000) }), 502],
  'no way': [funnel(undefined), 502],
  'a way of no number': [funnel({ ...TARGET, target_id: '1' }), 502],
  'a way below nothing': [funnel({ ...TARGET, target_id: -1 }), 502],
  'a way of half a number': [funnel({ ...TARGET, target_id: 1.5 }), 502],
  'a way of no end': [funnel({ ...TARGET, target_id: 1e300 }), 502],
  'a way of another hash': [funnel({ ...TARGET, parent_hash: 'AAAA' }), 502],
  'a way of many words': [funnel({ ...TARGET, phrase: 'x'.repeat(1001) }), 502],
  'a way by a list': [funnel([TARGET]), 502],
  'a way to what is not there': [
    funnel({ ...TARGET, target_id: 2 ** 52 }),
    409,
  ],
};
