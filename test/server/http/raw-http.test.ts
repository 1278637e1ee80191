import { expect } from 'chai';
import { recordSuite } from '../../faults/report.js';
import { within } from '../../support/full.js';
import { type Edge, rawExchange, rawPost, startEdge } from './harness.js';

const GET = 'GET /api/list HTTP/1.1\r\nHost: board.test\r\n';
const CLOSE = 'Connection: close\r\n\r\n';
const chunkedBody = '2\r\n{}\r\n0\r\n\r\n';
const many = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `${line(i)}\r\n`).join('');

const REFUSED: [string, string, number][] = [
  [
    'Content-Length beside Transfer-Encoding',
    rawPost(['Content-Length: 2', 'Transfer-Encoding: chunked'], chunkedBody),
    400,
  ],
  [
    'Transfer-Encoding beside Content-Length',
    rawPost(['Transfer-Encoding: chunked', 'Content-Length: 2'], chunkedBody),
    400,
  ],
  [
    'an encoding after chunked',
    rawPost(['Transfer-Encoding: chunked, gzip'], chunkedBody),
    400,
  ],
  [
    'Transfer-Encoding in two lines, the last not chunked',
    rawPost(
      ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
      chunkedBody,
    ),
    400,
  ],
  [
    'two different Content-Lengths',
    rawPost(['Content-Length: 2', 'Content-Length: 3'], '{}'),
    400,
  ],
  [
    'two equal Content-Lengths',
    rawPost(['Content-Length: 2', 'Content-Length: 2'], '{}'),
    400,
  ],
  ['a negative Content-Length', rawPost(['Content-Length: -2'], '{}'), 400],
  ['a signed Content-Length', rawPost(['Content-Length: +2'], '{}'), 400],
  ['a list as Content-Length', rawPost(['Content-Length: 2, 2'], '{}'), 400],
  ['a hex Content-Length', rawPost(['Content-Length: 0x2'], '{}'), 400],
  [
    'a Content-Length over 2^64',
    rawPost(['Content-Length: 99999999999999999999999'], '{}'),
    400,
  ],
  [
    'a chunk size that is not hex',
    rawPost(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
    400,
  ],
  [
    'a chunk longer than its size',
    rawPost(['Transfer-Encoding: chunked'], '1\r\n{}\r\n0\r\n\r\n'),
    400,
  ],
  [
    'a chunk size over 2^64',
    rawPost(['Transfer-Encoding: chunked'], 'fffffffffffffffff\r\n{}'),
    400,
  ],
  [
    'huge chunk extensions',
    rawPost(
      ['Transfer-Encoding: chunked'],
      `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    ),
    413,
  ],
  [
    'Transfer-Encoding with a blank before its colon',
    rawPost(['Transfer-Encoding : chunked', 'Content-Length: 2'], chunkedBody),
    400,
  ],
  [
    'Transfer-Encoding in capitals beside Content-Length',
    rawPost(['TRANSFER-ENCODING: CHUNKED', 'Content-Length: 2'], chunkedBody),
    400,
  ],
  ['a float as Content-Length', rawPost(['Content-Length: 2.0'], '{}'), 400],
  ['a word as Content-Length', rawPost(['Content-Length: two'], '{}'), 400],
  ['an empty Content-Length', rawPost(['Content-Length: '], '{}'), 400],
  [
    'a negative chunk size',
    rawPost(['Transfer-Encoding: chunked'], '-2\r\n{}\r\n0\r\n\r\n'),
    400,
  ],
  [
    'a chunk size with 0x',
    rawPost(['Transfer-Encoding: chunked'], '0x2\r\n{}\r\n0\r\n\r\n'),
    400,
  ],
  ['a bare LF in a header', `${GET}X-A: 1\nX-B: 2\r\n${CLOSE}`, 400],
  ['a bare CR in a header', `${GET}X-A: 1\rX-B: 2\r\n${CLOSE}`, 400],
  ['NUL in a header', `${GET}X-A: a\0b\r\n${CLOSE}`, 400],
  ['a header without colon', `${GET}X-A\r\n${CLOSE}`, 400],
  ['a blank before the colon', `${GET}X-A : 1\r\n${CLOSE}`, 400],
  ['a header name with a blank', `${GET}X A: 1\r\n${CLOSE}`, 400],
  ['an empty header name', `${GET}: 1\r\n${CLOSE}`, 400],
  ['a folded first header', `GET / HTTP/1.1\r\n Host: a\r\n${CLOSE}`, 400],
  ['an unknown method', `FOO /api/list HTTP/1.1\r\nHost: a\r\n${CLOSE}`, 400],
  ['a lower-case method', `get /api/list HTTP/1.1\r\nHost: a\r\n${CLOSE}`, 400],
  ['HTTP/0.9', 'GET /api/list\r\n\r\n', 400],
  ['HTTP/3.0', `GET /api/list HTTP/3.0\r\nHost: a\r\n${CLOSE}`, 400],
  ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a TLS hello', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n', 400],
  ['a blank in the target', `GET /a b HTTP/1.1\r\nHost: a\r\n${CLOSE}`, 400],
  ['no Host', `GET /api/list HTTP/1.1\r\n${CLOSE}`, 400],
  ['two Hosts', `${GET}Host: other.test\r\n${CLOSE}`, 400],
  ['another Expect', `${GET}Expect: 200-ok\r\n${CLOSE}`, 400],
  [
    'a 16 KiB request line',
    `GET /${'a'.repeat(16_384)} HTTP/1.1\r\nHost: a\r\n${CLOSE}`,
    431,
  ],
  ['a 16 KiB header', `${GET}X-A: ${'a'.repeat(16_384)}\r\n${CLOSE}`, 431],
  ['a 16 KiB header name', `${GET}${'a'.repeat(16_384)}: 1\r\n${CLOSE}`, 431],
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

const ENCODED = ['gzip, chunked', 'chunked, chunked', 'identity, chunked'];

const TAKEN: [string, string, number][] = [
  ['200 short headers', `${GET}${many(200, (i) => `X-${i}: 1`)}${CLOSE}`, 200],
  [
    '100 X-Forwarded-For headers',
    `${GET}${many(100, (i) => `X-Forwarded-For: 10.0.0.${i}`)}${CLOSE}`,
    200,
  ],
  ['a __proto__ header', `${GET}__proto__: 1\r\n${CLOSE}`, 200],
  ['HTTP/1.0 without Host', 'GET /api/list HTTP/1.0\r\n\r\n', 200],
  [
    'an absolute target',
    `GET http://evil.test/api/list HTTP/1.1\r\nHost: a\r\n${CLOSE}`,
    200,
  ],
  [
    'an absolute target without a path',
    `GET http://evil.test HTTP/1.1\r\nHost: a\r\n${CLOSE}`,
    404,
  ],
  [
    'a path with a broken escape',
    `GET /api/messages/%ff HTTP/1.1\r\nHost: a\r\n${CLOSE}`,
    404,
  ],
  [
    'a path with half an escape',
    `GET /api/messages/%e HTTP/1.1\r\nHost: a\r\n${CLOSE}`,
    404,
  ],
  [
    'dots in a path',
    `GET /api/../../etc/passwd HTTP/1.1\r\nHost: a\r\n${CLOSE}`,
    404,
  ],
];

describe('requests no client library sends', () => {
  let edge: Edge;
  before(async () => {
    edge = await startEdge();
  });
  after(async function () {
    await edge.stop();
    await recordSuite('D8 raw', this);
  });

  for (const [name, raw, status] of REFUSED) {
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

  for (const [name, raw, status] of TAKEN) {
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
      const raw = rawPost([`Transfer-Encoding: ${encoding}`], chunkedBody);
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
