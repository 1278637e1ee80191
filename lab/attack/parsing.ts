import { HOSTILE } from './hostile.js';
import type { AttackClass, Target, Try } from './target.js';

const HOST = 'Host: a\r\n';
const END = 'Connection: close\r\n\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const SMUGGLED = 'GET /healthz?smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const get = (headers: string): string =>
  `GET /api/threads HTTP/1.1\r\n${HOST}${headers}\r\n${END}`;
const post = (headers: string[], body: string): string =>
  `POST /write/preview HTTP/1.1\r\n${HOST}${JSON_TYPE}${headers.map((one) => `${one}\r\n`).join('')}\r\n${body}`;
const start = (line: string): string => `${line}\r\n${HOST}${END}`;
/** So many headers, the host and the end among them. */
const many = (count: number): string =>
  get(Array.from({ length: count - 2 }, (_, n) => `h${n}:`).join('\r\n'));

const { headers, sizes, refused, paths } = HOSTILE.parsing;

/** What no server may read in two ways: one answer, and an end. */
const AMBIGUOUS: [string, string][] = [
  ...headers.map((lines): [string, string] => [
    lines.join(' beside '),
    post(lines, `0\r\n\r\n${SMUGGLED}`),
  ]),
  ...sizes.map((size): [string, string] => [
    `the chunk size ${JSON.stringify(size.slice(0, 20))}`,
    post(
      ['Transfer-Encoding: chunked'],
      `${size}\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
    ),
  ]),
];

const made = (of: object, make: (text: string) => string) =>
  Object.entries(of).map(([what, text]): [string, string] => [
    what,
    make(text),
  ]);

const REFUSED: [string, string][] = [
  ...made(refused.get, get),
  ...made(refused.start, start),
  ...made(refused.whole, (text) => text),
  ['1,000 headers and no more bytes than are taken', many(1000)],
  ['1,300 headers', many(1302)],
];

function bytesTry(target: Target, [what, bytes]: [string, string]): Try {
  const run = async () => {
    const text = await target.raw(bytes, 'fresh');
    const answers = text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
    if (answers.length > 1) return `it got ${answers.length} answers`;
    const status = Number(answers[0]?.slice(9) ?? 0);
    if (text !== '' && (status < 400 || status > 499)) {
      return `it was answered ${status}`;
    }
    return (await target.isWell()) ? null : 'the board does not answer';
  };
  return { what, run };
}

function pathTry(target: Target, path: string): Try {
  const run = async () => {
    const text = await target.raw(start(`GET ${path} HTTP/1.1`));
    if (!/^HTTP\/1\.1 (?:400|404|301|308) /.test(text)) {
      return text.slice(0, 40);
    }
    return /root:|"dependencies"|[0-9a-f]{64}\n$/.test(text)
      ? 'a file of the machine came back'
      : null;
  };
  return { what: path, run };
}

/** What a proxy and the board might read in two ways, and what is no HTTP. */
export function parsing(target: Target): AttackClass {
  return {
    name: 'HTTP parsing, smuggling, request lines, paths',
    tries: [
      ...[...AMBIGUOUS, ...REFUSED].map((row) => bytesTry(target, row)),
      ...paths.map((path) => pathTry(target, path)),
    ],
  };
}
