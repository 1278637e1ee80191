import { BoardError } from '../../../server/errors.js';
import { parseStrictJson } from '../../../server/http/body/strict-json.js';

export function outcome(input: string | Uint8Array): string {
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  try {
    parseStrictJson(bytes);
    return 'parsed';
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    const { field } = error.extras;
    return field === undefined ? error.code : `${error.code} ${field}`;
  }
}

/** What JSON.parse makes of it, -0 as 0, without prototypes to compare. */
export function plain(text: string): unknown {
  return JSON.parse(text, (_key, value) => (value === 0 ? 0 : value));
}

export const nest = (depth: number): string =>
  '['.repeat(depth) + ']'.repeat(depth);
export const nestObjects = (depth: number): string =>
  `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
export const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

export const TAKEN: string[] = [
  '{}',
  '[]',
  '""',
  '0',
  'null',
  'true',
  'false',
  ' { } ',
  '\r\n\t{"a" : [ 1 , 2 ] }\n',
  '{"a":-1.5e-3,"b":1E+2,"c":0.0}',
  '{"":0}',
  '{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20AC"}',
  '{"a":"\\ud83d\\ude00 😀 \u2028 \u007f"}',
  '{"a":"\ufeff"}',
  '{"a":{"a":{"a":1}},"b":{"a":1}}',
  '9007199254740993',
  '[1e-400]',
  '{"constructor":1,"toString":2,"hasOwnProperty":3}',
  nest(8),
  nestObjects(8),
  `[${nest(7)},${nest(7)}]`,
];
