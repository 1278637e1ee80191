import { recordSuite } from '../../faults/report.js';
import { within } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import { rawExchange, rawPost, startEdge } from './harness.js';

const GET = 'GET /api/list HTTP/1.1\r\nHost: board.test\r\n';
const CLOSE = 'Connection: close\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked';
const many = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `${line(i)}\r\n`).join('');
const line = (start: string): string => `${start}\r\nHost: a\r\n${CLOSE}`;
const headed = (header: string): string => `${GET}${header}\r\n${CLOSE}`;
const LONG = 'a'.repeat(16_384);
const CHUNKS = '2\r\n{}\r\n0\r\n\r\n';

type Row = [title: string, sent: string, status?: number];

/** Headers that contradict each other, or give no length. */
const LENGTHS: Row[] = (
  [
    ['Content-Length: 2', CHUNKED],
    [CHUNKED, 'Content-Length: 2'],
    ['Transfer-Encoding: chunked, gzip'],
    [CHUNKED, 'Transfer-Encoding: identity'],
    ['Transfer-Encoding : chunked', 'Content-Length: 2'],
    ['TRANSFER-ENCODING: CHUNKED', 'Content-Length: 2'],
    ['Content-Length: 2', 'Content-Length: 3'],
    ['Content-Length: 2', 'Content-Length: 2'],
    ['Content-Length: 2', 'Content-Length: 40'],
    ['Content-Length:', CHUNKED],
    ['X: y\nTransfer-Encoding: chunked', 'Content-Length: 2'],
    ['X: y\rTransfer-Encoding: chunked', 'Content-Length: 2'],
    ...['-2', '+2', '2, 2', '2 2', '0x2', '2.0', '1e0', 'two', ''].map(
      (length) => [`Content-Length: ${length}`],
    ),
    [`Content-Length: ${'9'.repeat(23)}`],
  ] as string[][]
).map((headers) => {
  const body = /chunked/i.test(headers.join()) ? CHUNKS : '{}';
  return [headers.join(' beside '), rawPost(headers, body)];
});

const SIZES: Row[] = (
  [
    ['that is not hex', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['that is too short', '1\r\n{}\r\n0\r\n\r\n'],
    ['over 2^64', 'fffffffffffffffff\r\n{}'],
    ['that is negative', '-2\r\n{}\r\n0\r\n\r\n'],
    ['with 0x', '0x2\r\n{}\r\n0\r\n\r\n'],
    ['with a sign', '+2\r\n{}\r\n0\r\n\r\n'],
    ['that is empty', '\r\n{}\r\n0\r\n\r\n'],
    ['that a bare LF ends', '2\n\r\n{}\r\n0\r\n\r\n'],
    ['with a huge extension', `2;${LONG}a\r\n{}\r\n0\r\n\r\n`, 413],
  ] as Row[]
).map(([title, body, status = 400]) => [
  `a chunk size ${title}`,
  rawPost([CHUNKED], body),
  status,
]);

const REFUSED: Row[] = [
  ...LENGTHS,
  ...SIZES,
  ['a bare LF in a header', headed('X-A: 1\nX-B: 2')],
  ['a bare CR in a header', headed('X-A: 1\rX-B: 2')],
  ['NUL in a header', headed('X-A: a\0b')],
  ['a header without colon', headed('X-A')],
  ['a blank before the colon', headed('X-A : 1')],
  ['a header name with a blank', headed('X A: 1')],
  ['an empty header name', headed(': 1')],
  ['two Hosts', headed('Host: other.test')],
  ['another Expect', headed('Expect: 200-ok')],
  ['a folded first header', `GET / HTTP/1.1\r\n Host: a\r\n${CLOSE}`],
  ['no Host', `GET /api/list HTTP/1.1\r\n${CLOSE}`],
  ['an unknown method', line('FOO /api/list HTTP/1.1')],
  ['a lower-case method', line('get /api/list HTTP/1.1')],
  ['a blank in the target', line('GET /a b HTTP/1.1')],
  ['HTTP/0.9', 'GET /api/list\r\n\r\n'],
  ['no version beside a host', line('GET /api/list')],
  ['HTTP/2.0', line('GET /api/list HTTP/2.0')],
  ['HTTP/1.10', line('GET /api/list HTTP/1.10')],
  ['tabs for blanks', line('GET\t/api/list\tHTTP/1.1')],
  ['HTTP/3.0', line('GET /api/list HTTP/3.0')],
  ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a TLS hello', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n'],
  ['a 16 KiB request line', line(`GET /${LONG} HTTP/1.1`), 431],
  ['a 16 KiB header', headed(`X-A: ${LONG}`), 431],
  ['a 16 KiB header name', headed(`${LONG}: 1`), 431],
  [
    '200 long headers',
    `${GET}${many(200, (i) => `X-${i}: ${'a'.repeat(60)}`)}${CLOSE}`,
    431,
  ],
  ['2,500 headers', `${GET}${many(2_500, (i) => `X${i}: 1`)}${CLOSE}`, 431],
  [
    '500 X-Forwarded-For headers',
    `${GET}${many(500, (i) => `X-Forwarded-For: 10.0.0.${i % 256}`)}${CLOSE}`,
    431,
  ],
];

const TAKEN: Row[] = [
  ['200 short headers', `${GET}${many(200, (i) => `X-${i}: 1`)}${CLOSE}`],
  [
    '100 X-Forwarded-For headers',
    `${GET}${many(100, (i) => `X-Forwarded-For: 10.0.0.${i}`)}${CLOSE}`,
  ],
  ['a __proto__ header', headed('__proto__: 1')],
  ['HTTP/1.0 without Host', 'GET /api/list HTTP/1.0\r\n\r\n'],
  ['an absolute target', line('GET http://evil.test/api/list HTTP/1.1')],
  ['one without a path', line('GET http://evil.test HTTP/1.1'), 404],
  ['a broken escape', line('GET /api/messages/%ff HTTP/1.1'), 404],
  ['half an escape', line('GET /api/messages/%e HTTP/1.1'), 404],
  ['dots in a path', line('GET /api/../../etc/passwd HTTP/1.1'), 404],
];

const ENCODED = [
  ...['gzip, chunked', 'chunked, chunked', 'identity, chunked'],
  ...['xchunked', '"chunked"', 'identity'],
];

describe('requests no client library sends', () => {
  const edge = given(() => startEdge());
  after(async function () {
    await recordSuite('D8 raw', this);
  });

  for (const [name, raw, status = 400] of REFUSED) {
    it(`answers ${status} in JSON and closes: ${name}`, async () => {
      const answer = await rawExchange(edge.port, raw);
      expect(answer.status, answer.text).to.equal(status);
      expect(answer.body).to.have.all.keys('error', 'detail');
      expect(answer.head).to.contain('connection: close');
      expect(answer.head).to.contain('x-content-type-options: nosniff');
      expect(answer.head).to.contain('cache-control: no-store');
      expect(answer.ms).to.be.below(within(4_000));
    });
  }

  for (const [name, raw, status = 200] of TAKEN) {
    it(`answers ${status} to ${name}`, async () => {
      const answer = await rawExchange(edge.port, raw);
      expect(answer.status, answer.text).to.equal(status);
    });
  }

  for (const encoding of [
    ...ENCODED,
    'chunked\r\nTransfer-Encoding: chunked',
  ]) {
    it(`reads no body under Transfer-Encoding: ${JSON.stringify(encoding)}`, async () => {
      const raw = rawPost([`Transfer-Encoding: ${encoding}`], CHUNKS);
      const answer = await rawExchange(edge.port, raw);
      expect(answer.status).to.be.oneOf([400, 415]);
      expect(answer.body).to.include.keys('error', 'detail');
      expect(answer.text.match(/HTTP\/1\.1 /g)).to.have.length(1);
    });
  }

  it('reads a folded header as one header, never as two', async () => {
    const answer = await rawExchange(
      edge.port,
      rawPost(['X-A: 1', ' Content-Length: 999', 'Content-Length: 2'], '{}'),
    );
    expect(answer.status).to.be.oneOf([200, 400]);
    expect(answer.text.match(/HTTP\/1\.1 /g)).to.have.length(1);
  });

  it('answers what follows a too short Content-Length as a bad request', async () => {
    const raw = rawPost(['Content-Length: 2'], '{}{"smuggled":1}');
    const answer = await rawExchange(
      edge.port,
      raw.replace('Connection: close\r\n', ''),
    );
    const statuses = answer.text.match(/HTTP\/1\.1 \d+/g) ?? [];
    expect(statuses.join()).to.match(/^(?:HTTP\/1\.1 200,)?HTTP\/1\.1 400$/);
  });

  it('ends a connection that sends bad requests after its answer', async () => {
    const bad = `${GET}X-A\r\n\r\n`;
    const answer = await rawExchange(edge.port, bad.repeat(50));
    expect(answer.text.match(/HTTP\/1\.1 /g)).to.have.length(1);
  });
});
