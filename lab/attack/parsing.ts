import {
  type AttackClass,
  freshAddress,
  type Target,
  type Try,
} from './target.js';

const HOST = 'Host: a\r\n';
const END = 'Connection: close\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const SMUGGLED = 'GET /healthz?smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const LONG = 'a'.repeat(16_384);
const many = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `${line(n)}\r\n`).join('');
const get = (headers: string): string =>
  `GET /api/threads HTTP/1.1\r\n${HOST}${headers}\r\n${END}`;
const post = (headers: string[], body: string): string =>
  `POST /write/preview HTTP/1.1\r\n${HOST}${JSON_TYPE}${headers.map((one) => `${one}\r\n`).join('')}\r\n${body}`;
const start = (line: string): string => `${line}\r\n${HOST}${END}`;

/** What no server may read in two ways: one answer, and an end. */
const AMBIGUOUS: [string, string][] = [
  ...(
    [
      ['Content-Length: 2', CHUNKED],
      [CHUNKED, 'Content-Length: 2'],
      ['Content-Length: 2', 'Content-Length: 40'],
      ['Transfer-Encoding: chunked, gzip'],
      ['Transfer-Encoding: identity', 'Content-Length: 2'],
      ['Transfer-Encoding: xchunked'],
      [CHUNKED, CHUNKED],
      [CHUNKED, 'Transfer-Encoding: identity'],
      ['Transfer-Encoding : chunked', 'Content-Length: 2'],
      ['Transfer-Encoding:\tchunked', 'Content-Length: 2'],
      ['Transfer-Encoding: "chunked"', 'Content-Length: 2'],
      [' Transfer-Encoding: chunked', 'Content-Length: 2'],
      ['Transfer_Encoding: chunked', 'Content-Length: 2000000'],
      ['X: y\nTransfer-Encoding: chunked', 'Content-Length: 2'],
      ['X: y\rTransfer-Encoding: chunked', 'Content-Length: 2'],
      ['Content-Length: +2'],
      ['Content-Length: -2'],
      ['Content-Length: 0x2'],
      ['Content-Length: 2, 2'],
      ['Content-Length: 2 2'],
      ['Content-Length: 1e0'],
      [`Content-Length: ${'9'.repeat(23)}`],
      ['Content-Length:', CHUNKED],
    ] as string[][]
  ).map((headers): [string, string] => [
    headers.join(' beside '),
    post(headers, `0\r\n\r\n${SMUGGLED}`),
  ]),
  ...[
    'zz',
    '-2',
    '+2',
    '0x2',
    '2 ',
    'f'.repeat(17),
    '',
    '2\n',
    `2;${LONG}${LONG}`,
  ].map((size): [string, string] => [
    `the chunk size ${JSON.stringify(size.slice(0, 20))}`,
    post([CHUNKED], `${size}\r\n{}\r\n0\r\n\r\n${SMUGGLED}`),
  ]),
];

const REFUSED: [string, string][] = [
  ['a bare LF in a header', get('A: 1\nB: 2')],
  ['a bare CR in a header', get('A: 1\rB: 2')],
  ['NUL in a header', get('A: a\0b')],
  ['a header without colon', get('A')],
  ['a blank before the colon', get('A : 1')],
  ['a folded header', get('A: 1\r\n 2')],
  ['an empty name', get(': 1')],
  ['two hosts', get('Host: b')],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['a huge header', get(`A: ${LONG}`)],
  [
    '1,000 headers and no more bytes than are taken',
    get(many(998, (n) => `h${n}:`).trimEnd()),
  ],
  ['1,300 headers', get(many(1300, (n) => `h${n}:`).trimEnd())],
  ['a long address', start(`GET /${LONG} HTTP/1.1`)],
  ['no version', start('GET /')],
  ['HTTP/0.9', 'GET /\r\n\r\n'],
  ['HTTP/2.0', start('GET / HTTP/2.0')],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/1.10', start('GET / HTTP/1.10')],
  ['a blank in the address', start('GET /a b HTTP/1.1')],
  ['a tab for the blank', start('GET\t/\tHTTP/1.1')],
  ['an unknown method', start('FOO / HTTP/1.1')],
  ['a method in small letters', start('get / HTTP/1.1')],
  ['CONNECT', start('CONNECT evil.example:443 HTTP/1.1')],
  [
    'a TLS hello',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(600, '\0'),
  ],
  ['another expectation', get('Expect: 200-ok')],
  ['TRACE', start('TRACE / HTTP/1.1')],
  ['PUT of a page', start('PUT / HTTP/1.1')],
  ['DELETE of a message', start('DELETE /api/messages/1 HTTP/1.1')],
];

/** Paths that have to name nothing beyond what they say. */
const PATHS = [
  '/../../etc/passwd',
  '/..%2f..%2fetc/passwd',
  '/%2e%2e/%2e%2e/board.seed',
  '/admin/assets/../../board.seed',
  '/admin/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  '/admin/assets/..%5c..%5cpackage.json',
  '/client/../package.json',
  '/client/%2e%2e/package.json',
  '/%00',
  '/api/threads%00.json',
  '/api/messages/%ff',
  '/api/messages/__proto__',
  '/api/messages/-1',
  '/api/messages/1e3',
  '/api/messages/9007199254740993',
  '/log/tile/0/../../x',
  '/log/tile/0/x001/-01',
  '/mirror/..%2f/checkpoint',
  '/openapi/__proto__',
  '/reference/constructor',
  '/node_modules/express/package.json',
  '/.env',
  '/.git/config',
];

function bytesTry(target: Target, [what, bytes]: [string, string]): Try {
  const run = async () => {
    const text = await target.raw(bytes, freshAddress());
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
      ...PATHS.map((path) => pathTry(target, path)),
    ],
  };
}
