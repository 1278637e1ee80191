import fc from 'fast-check';
import type { ErrorCode } from '../../../server/errors.js';
import { bodyOf, type Family, requestOf } from './parts.js';

/** How a body of valid JSON is spoiled; `at` chooses a place in it. */
type Spoiled = [
  by: string,
  code: ErrorCode | null,
  write: (text: string, at: number) => string | Buffer,
];

const INVALID = 'invalid_json';
const MAX_BYTES = 65_536;

const WIRE: readonly Spoiled[] = [
  ['nothing', INVALID, () => ''],
  ['white space', INVALID, () => ' \n'],
  ['cut off', INVALID, (text, at) => bytes(text).subarray(0, at)],
  ['a byte order mark', INVALID, (text) => `\ufeff${text}`],
  ['UTF-16', INVALID, (text) => Buffer.from(text, 'utf16le')],
  ['a comma at the end', INVALID, (text) => `${text.slice(0, -1)},}`],
  ['twice', INVALID, (text) => text + text],
  ['NUL behind it', INVALID, (text) => `${text}\0`],
  ['a comment', INVALID, (text) => `${text}//`],
  ...[[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80]].map(
    (put): Spoiled => [
      'bytes that are not UTF-8',
      INVALID,
      (text, at) => {
        const whole = bytes(text);
        const [from, to] = [whole.subarray(0, at), whole.subarray(at)];
        return Buffer.concat([from, Buffer.from(put), to]);
      },
    ],
  ),
  ...(
    [
      ['a doubled key', INVALID, '"x":1,"x":1'],
      ['a key doubled by an escape', INVALID, '"x":1,"\\u0078":1'],
      ['a doubled key inside', INVALID, '"x":{"a":1,"a":1}'],
      ['nine levels', INVALID, `"x":${'['.repeat(8)}${']'.repeat(8)}`],
      ['nine levels of objects', INVALID, deep(8)],
      ['many levels', INVALID, deep(2000)],
      ['eight levels', 'unknown_field', deep(7)],
      ['a number out of range', INVALID, '"x":1e400'],
      ['NaN', INVALID, '"x":NaN'],
      ['a number with a zero before it', INVALID, '"x":01'],
      ['a raw control character', INVALID, '"x":"\u0001"'],
      ['a raw NUL', INVALID, '"x":"\0"'],
      ['half an escape', INVALID, '"x":"\\u12"'],
      ['NUL', 'invalid_unicode', '"x":"\\u0000"'],
      ['half a surrogate pair', 'invalid_unicode', '"x":"\\ud83d"'],
      ['surrogates the wrong way', 'invalid_unicode', '"x":"\\ude00\\ud83d"'],
      ['half a pair in a key', 'invalid_unicode', '"\\udfff":1'],
      ['a prototype', 'unknown_field', '"__proto__":{"admin":true}'],
      ['a prototype inside', 'unknown_field', '"x":{"__proto__":{"y":1}}'],
      ['a long key', 'unknown_field', `"${'k'.repeat(20_000)}":1`],
    ] as const
  ).map(
    ([by, code, member]): Spoiled => [
      by,
      code,
      (text) =>
        text.replace(/^\{(?=(\}?))/, (_, end) =>
          end === '}' ? `{${member}` : `{${member},`,
        ),
    ],
  ),
  ...['[]', '"text"', '1', 'null', 'true', '[{}]'].map(
    (text): Spoiled => ['no object', 'invalid_input', () => text],
  ),
  ['too many bytes', 'request_too_large', (text) => padded(text, 1)],
  ['as many bytes as may be', null, (text) => padded(text, 0)],
];

/** Bodies that no JSON writer makes, and those that only look like an object. */
export const wireBodies: Family = (_source, described, valid) => {
  if (bodyOf(described) === null) return [];
  const spoiled = fc
    .tuple(valid, fc.constantFrom(...WIRE), fc.nat())
    .map(([parts, [by, code, write], place]) => {
      const refusal = code === null ? null : { codes: [code] };
      const it = requestOf(described, parts, `body: ${by}`, refusal);
      const text = String(it.body);
      const at = place % Math.max(1, Buffer.byteLength(text));
      return { ...it, body: bytes(write(text, at)) };
    });
  const addressed = valid.map((parts) => {
    const refusal = { codes: ['url_parameters_rejected'] } as const;
    const it = requestOf(described, parts, 'fields in the address', refusal);
    return { ...it, path: `${it.path}?x=1` };
  });
  return [spoiled, addressed];
};

function bytes(text: string | Buffer): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : text;
}

/** A member so many levels deep, the request's own object not counted. */
function deep(levels: number): string {
  return `"x":${'{"x":'.repeat(levels)}1${'}'.repeat(levels)}`;
}

function padded(text: string, more: number): Buffer {
  const spaces = MAX_BYTES - Buffer.byteLength(text) + more;
  return Buffer.from(text + ' '.repeat(Math.max(0, spaces)));
}
