import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import request from 'supertest';
import { within } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import {
  pour,
  type RawAnswer,
  rawExchange,
  rawPost,
  startEdge,
} from './harness.js';

const LIMIT = 65_536;
const TYPE = 'Content-Type: application/json';
const CLOSE = 'Connection: close\r\n';
const EXPECT = 'Expect: 100-continue';

const sized = (size: number): string => `{"body":"${'a'.repeat(size - 11)}"}`;

/** A POST with its length, and one in chunks of `size` bytes. */
const byLength = (body: string, ...more: string[]): string =>
  rawPost([`Content-Length: ${body.length}`, ...more], body);
function chunked(body: string, size: number): string {
  const chunks = body.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
  const lines = chunks.map(
    (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
  );
  return rawPost(['Transfer-Encoding: chunked'], `${lines.join('')}0\r\n\r\n`);
}

const typed = (type: string): string =>
  byLength('{"a":1}').replace(TYPE, `Content-Type: ${type}`);
/** The query is refused before type and body are looked at. */
const asked = (query: string): string =>
  byLength('x').replace('/echo', `/echo${query}`).replace(TYPE, 'X-A: b');

type Row = [title: string, sent: string, status: number, error?: string];

const TABLE: Row[] = [
  ...(
    [
      [LIMIT - 1, 200],
      [LIMIT, 200],
      [LIMIT + 1, 413, 'request_too_large'],
    ] as const
  ).flatMap(([size, ...answer]): Row[] => [
    [`${size} bytes by Content-Length`, byLength(sized(size)), ...answer],
    ...[1, 1_000, LIMIT, LIMIT + 1].map((piece): Row => {
      const title = `${size} bytes in chunks of ${piece}`;
      return [title, chunked(sized(size), piece), ...answer];
    }),
  ]),
  [
    'escapes, which count as they are on the wire',
    byLength(`{"body":"${'\\u0061'.repeat(11_000)}"}`),
    ...([413, 'request_too_large'] as const),
  ],
  [
    '1 GB by Content-Length before any of it is sent',
    rawPost(['Content-Length: 1073741824']),
    ...([413, 'request_too_large'] as const),
  ],
  ['an empty body', byLength(''), 400, 'invalid_json'],
  ...[
    ...['gzip', 'br', 'deflate', 'zstd', 'identity', 'compress', ''],
    ...['gzip, br', 'x-gzip', 'GZIP', 'chunked', 'aes128gcm'],
    Array(1_000).fill('gzip').join(','),
  ].map((encoding): Row => {
    const sent = byLength('{}', `Content-Encoding: ${encoding}`);
    const title = `Content-Encoding: "${encoding.slice(0, 20)}"`;
    return [title, sent, 415, 'unsupported_media_type'];
  }),
  [
    '5,000 encodings',
    byLength('{}', `Content-Encoding: ${Array(5_000).fill('gzip').join(',')}`),
    431,
  ],
  ...[
    ...['application/json', 'APPLICATION/JSON'],
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; Charset="utf-8"',
  ].map((type): Row => [`Content-Type: ${type}`, typed(type), 200]),
  ...[
    ...['text/plain', 'application/x-www-form-urlencoded', ''],
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=utf-8',
    ...['application/json; boundary=x', 'application/json;'],
    ...['application/json, text/plain', 'application/jsonp'],
    'application/problem+json',
    'application/json\r\nContent-Type: application/json',
  ].map((type): Row => {
    const title = `Content-Type: ${JSON.stringify(type)}`;
    return [title, typed(type), 415, 'unsupported_media_type'];
  }),
  [
    'a POST without Content-Type',
    rawPost(['Content-Length: 0']).replace(`${TYPE}\r\n`, ''),
    415,
    'unsupported_media_type',
  ],
  [
    'a question mark with nothing behind it',
    byLength('{}').replace('/echo', '/echo?'),
    200,
  ],
  ...['?&', '?x', '?x=1', '?body=a&vote=1'].map(
    (query): Row => [query, asked(query), 400, 'url_parameters_rejected'],
  ),
];

describe('the body of a POST', () => {
  const edge = given(() => startEdge());
  let answers: Promise<RawAnswer>[];
  before(async () => {
    // At once: what is refused is only let go after half a second.
    answers = TABLE.map(([, sent]) => rawExchange(edge.port, sent));
  });

  for (const [n, [title, , status, error]] of TABLE.entries()) {
    it(`is answered ${status}: ${title}`, async () => {
      const answer = (await answers[n]) as RawAnswer;
      expect(answer.status, answer.text).to.equal(status);
      if (error !== undefined) expect(answer.body.error).to.equal(error);
      if (status === 413) expect(answer.head).to.contain('connection: close');
      expect(answer.ms).to.be.below(within(8_000));
    });
  }

  it('is handed on with every key, __proto__ too', async () => {
    const answer = await rawExchange(
      edge.port,
      byLength('{"a":1,"__proto__":{"a":1}}'),
    );
    expect(answer.body.keys).to.deep.equal(['a', '__proto__']);
  });

  const expectCut = (answer: RawAnswer): void => {
    expect(answer.ms).to.be.below(within(8_000));
    expect(answer.sent).to.be.below(16_000_000);
  };

  it('is answered and let go where it has no end', async () => {
    const start = rawPost(['Transfer-Encoding: chunked']);
    const answer = await rawExchange(edge.port, pour(start));
    expect(answer.status).to.equal(413);
    expect(answer.body.error).to.equal('request_too_large');
    expect(answer.head).to.contain('connection: close');
    expectCut(answer);
  });

  for (const [name, path, status] of [
    ['of the wrong type', '/write/echo', 415],
    ['to an unknown path', '/api/nowhere', 404],
    ['to a page that does not exist', '/nowhere', 404],
    ['to a read', '/api/list', 405],
  ] as const) {
    it(`is read no further without an end ${name}`, async () => {
      const start = `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const answer = await rawExchange(edge.port, pour(start));
      expect(answer.status).to.equal(status);
      expectCut(answer);
    });
  }

  it('keeps the connection where it is small and refused', async () => {
    const second = byLength('{}');
    const first = second.replace(TYPE, 'X-A: b').replace(CLOSE, '');
    const answer = await rawExchange(edge.port, first + second);
    expect(answer.text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal([
      'HTTP/1.1 415',
      'HTTP/1.1 200',
    ]);
  });

  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    // Node 20 cannot make one; the first bytes of each are these.
    ['zstd', () => Buffer.from('28b52ffda400009600'.padEnd(60, '0'), 'hex')],
  ] as const) {
    it(`is no ${encoding} bomb that is inflated`, async () => {
      const answer = await request(edge.server)
        .post('/write/echo')
        .set('Content-Type', 'application/json')
        .set('Content-Encoding', encoding)
        .send(pack(Buffer.alloc(10_000_000)));
      expect(answer.status).to.equal(415);
    });
  }

  it('is none by half when its sender hangs up', async () => {
    const raw = rawPost(['Content-Length: 20'], '{"a":1}');
    const answer = await rawExchange(edge.port, (socket) => {
      socket.end(raw);
    });
    expect(answer.status).to.be.oneOf([0, 400]);
    expect(edge.logged).to.deep.equal([]);
  });

  it('is asked for by 100 Continue only where it will be read', async () => {
    const start = rawPost(['Content-Length: 2', EXPECT]);
    const taken = await rawExchange(edge.port, (socket) => {
      socket.write(start);
      socket.once('data', () => socket.write('{}'));
    });
    expect(taken.text).to.match(/^HTTP\/1\.1 100 Continue\r\n/);
    expect(taken.status).to.equal(200);
    const large = rawPost(['Content-Length: 65537', EXPECT]);
    const refused = await rawExchange(edge.port, large);
    expect(refused.text).to.match(/^HTTP\/1\.1 413 /);
    const other = start.replace(TYPE, 'X-A: b');
    const wrongType = await rawExchange(edge.port, other);
    expect(wrongType.text).to.match(/^HTTP\/1\.1 415 /);
    expect(wrongType.head).to.contain('connection: close');
  });

  it('survives 50 clients that go away in the middle', async () => {
    const gone = Array.from({ length: 50 }, (_, i) =>
      rawExchange(edge.port, (socket) => {
        const length = i % 3 === 0 ? 2 : 1_000; // some are complete
        const start = rawPost([`Content-Length: ${length}`], '{}');
        socket.write(start, () =>
          i % 2 === 0 ? socket.resetAndDestroy() : socket.destroy(),
        );
      }),
    );
    await Promise.all(gone);
    const answer = await rawExchange(edge.port, byLength('{"a":1}'));
    expect(answer.status).to.equal(200);
    expect(edge.logged).to.deep.equal([]);
  });
});
