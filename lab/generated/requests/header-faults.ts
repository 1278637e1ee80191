import fc from 'fast-check';
import type { ErrorCode } from '../../../server/errors.js';
import { bodyOf, type Family, isRefused, requestOf } from './parts.js';

type Headers = Record<string, string | string[]>;
/** Null where the request is answered as if they were not there. */
type Oddity = [headers: Headers, code: ErrorCode | null];

const LONG = 'x'.repeat(8200);
const JSON_TYPE = 'application/json';

const ANY: readonly Oddity[] = [
  ...[
    ...['', '*/*', 'text/html', 'application/xml', '\u00ff', ';q=,'],
    ...['application/json;q=0', 'text/plain, text/html;q=0.9'],
  ].map((Accept): Oddity => [{ Accept }, null]),
  ...['', 'gzip', 'br', 'identity;q=0', '*;q=0', '\u00ff'].map(
    (coding): Oddity => [{ 'Accept-Encoding': coding }, null],
  ),
  ...['', '*', '"', 'W/', '"\u00ff"', '"x","y"', 'x'.repeat(4000)].map(
    (tag): Oddity => [{ 'If-None-Match': tag }, null],
  ),
  ...['', 'evil.example', 'a:b:c', '[::1', 'x'.repeat(500)].map(
    (Host): Oddity => [{ Host }, null],
  ),
  [{ Range: 'bytes=0-10' }, null],
  [{ 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, null],
  [{ 'If-Match': '"x"' }, null],
  [{ 'X-HTTP-Method-Override': 'DELETE' }, null],
  [{ 'X-Original-URL': '/admin' }, null],
  [{ Forwarded: 'for=1.2.3.4', 'X-Real-IP': '1.2.3.4' }, null],
  [{ Cookie: '__proto__=1; =; ;;', Authorization: 'Bearer \u00ff' }, null],
  [{ 'X-Agent-Name': ['a', 'b'], 'Accept-Language': '\u00ff' }, null],
  [{ Connection: 'close' }, null],
  [{ Expect: '100-continue' }, null],
  [{ Expect: 'a miracle' }, 'invalid_input'],
  [{ 'X-Long': LONG }, 'headers_too_large'],
];

const OF_READS: readonly Oddity[] = [
  [{ Origin: 'http://evil.example' }, null],
  [{ 'Sec-Fetch-Site': 'cross-site' }, null],
  [{ 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }, null],
];

const OF_WRITES: readonly Oddity[] = [
  ...['http://evil.example', 'null', '', '\u00ff'].map(
    (Origin): Oddity => [{ Origin }, 'forbidden'],
  ),
  [{ 'Sec-Fetch-Site': 'cross-site' }, 'forbidden'],
  ...[
    ...['', 'text/plain', 'application/x-www-form-urlencoded', '*/*'],
    ...['application/json; charset=utf-16', 'application/json; x=1'],
    ...['application/json, text/plain', 'application/jsonx'],
    ...['application/problem+json', 'multipart/form-data; boundary=x'],
  ].map((type): Oddity => [{ 'Content-Type': type }, 'unsupported_media_type']),
  [{ 'Content-Type': [JSON_TYPE, JSON_TYPE] }, 'unsupported_media_type'],
  ...['gzip', 'identity', ''].map(
    (coding): Oddity => [
      { 'Content-Encoding': coding },
      'unsupported_media_type',
    ],
  ),
  [{ 'Content-Type': 'APPLICATION/JSON ; charset="UTF-8"' }, null],
  [{ 'Sec-Fetch-Site': 'same-origin' }, null],
];

/** Odd headers at a request that is otherwise valid, and its missing type. */
export const headerFaults: Family = (_source, described, valid) => {
  const isWrite = bodyOf(described) !== null;
  // A refused read has its refusal; what comes before that is as elsewhere.
  const own = isWrite ? OF_WRITES : isRefused(described) ? [] : OF_READS;
  const odd = fc
    .tuple(valid, fc.constantFrom(...ANY, ...own))
    .map(([parts, [headers, code]]) => {
      const refusal = code === null ? null : { codes: [code] };
      const kind = `headers ${JSON.stringify(headers).slice(0, 60)}`;
      const it = requestOf(described, parts, kind, refusal);
      return { ...it, headers: { ...it.headers, ...headers } };
    });
  if (isWrite) {
    const untyped = valid.map((parts) => ({
      ...requestOf(described, parts, 'no Content-Type', {
        codes: ['unsupported_media_type'],
      }),
      headers: {},
    }));
    return [odd, untyped];
  }
  const withBody = valid.map((parts) => ({
    ...requestOf(described, parts, 'a read with a body', null),
    body: Buffer.from('{"x":1}'),
  }));
  return [odd, withBody];
};
