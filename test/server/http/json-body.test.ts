import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import request from 'supertest';
import { within } from '../../support/full.js';
import { type Edge, rawExchange, rawPost, startEdge } from './harness.js';

const LIMIT = 65_536;

/** A JSON body of exactly `size` bytes. */
const sized = (size: number): string => `{"body":"${'a'.repeat(size - 11)}"}`;

function chunked(body: string, size: number): string {
  const chunks = body.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
  return `${chunks
    .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    .join('')}0\r\n\r\n`;
}

describe('jsonBody', () => {
  let edge: Edge;
  before(async () => {
    edge = await startEdge();
  });
  after(() => edge.stop());

  const byLength = (body: string, ...more: string[]) =>
    rawExchange(
      edge.port,
      rawPost([`Content-Length: ${body.length}`, ...more], body),
    );

  for (const [size, status] of [
    [LIMIT - 1, 200],
    [LIMIT, 200],
    [LIMIT + 1, 413],
  ] as const) {
    it(`answers ${status} to ${size} bytes by Content-Length`, async () => {
      const answer = await byLength(sized(size));
      expect(answer.status).to.equal(status);
    });

    for (const piece of [1, 1_000, 65_536]) {
      it(`answers ${status} to ${size} bytes in chunks of ${piece}`, async () => {
        const body = chunked(sized(size), piece);
        const answer = await rawExchange(
          edge.port,
          rawPost(['Transfer-Encoding: chunked'], body),
        );
        expect(answer.status).to.equal(status);
      });
    }
  }

  it('counts escapes as the bytes they are on the wire', async () => {
    const body = `{"body":"${'\\u0061'.repeat(11_000)}"}`;
    const answer = await byLength(body);
    expect(answer.body.error).to.equal('request_too_large');
  });

  it('answers an endless chunked body and lets go', async () => {
    const chunk = Buffer.from(`10000\r\n${'a'.repeat(LIMIT)}\r\n`);
    const answer = await rawExchange(edge.port, (socket) => {
      socket.write(rawPost(['Transfer-Encoding: chunked']));
      const pump = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', pump);
      pump();
    });
    expect(answer.status).to.equal(413);
    expect(answer.body.error).to.equal('request_too_large');
    expect(answer.head).to.contain('connection: close');
    expect(answer.ms).to.be.below(within(8_000));
    expect(answer.sent).to.be.below(16_000_000);
  });

  it('answers 1 GB by Content-Length before any of it is sent', async () => {
    const answer = await rawExchange(
      edge.port,
      rawPost(['Content-Length: 1073741824']),
    );
    expect(answer.status).to.equal(413);
    expect(answer.ms).to.be.below(within(8_000));
  });

  for (const [name, path] of [
    ['an endless body of the wrong type', '/write/echo'],
    ['an endless body to an unknown path', '/api/nowhere'],
    ['an endless body to a page that does not exist', '/nowhere'],
    ['an endless body to a read', '/api/list'],
  ] as const) {
    it(`stops reading ${name}`, async () => {
      const chunk = Buffer.from(`10000\r\n${'a'.repeat(LIMIT)}\r\n`);
      const answer = await rawExchange(edge.port, (socket) => {
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`,
        );
        const pump = (): void => {
          while (!socket.destroyed && socket.write(chunk));
        };
        socket.on('drain', pump);
        pump();
      });
      expect(answer.status).to.be.oneOf([404, 405, 415]);
      expect(answer.ms).to.be.below(within(8_000));
      expect(answer.sent).to.be.below(16_000_000);
    });
  }

  it('keeps the connection after a small body it has refused', async () => {
    const first = rawPost(['Content-Length: 2'], '{}')
      .replace('application/json', 'text/plain')
      .replace('Connection: close\r\n', '');
    const second = rawPost(['Content-Length: 2'], '{}');
    const answer = await rawExchange(edge.port, first + second);
    expect(answer.text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal([
      'HTTP/1.1 415',
      'HTTP/1.1 200',
    ]);
  });

  for (const encoding of [
    ...['gzip', 'br', 'deflate', 'zstd', 'identity', 'compress', ''],
    Array(1_000).fill('gzip').join(','),
    ...['gzip, br', 'x-gzip', 'GZIP', 'chunked', 'aes128gcm'],
  ]) {
    const shown = encoding.slice(0, 20);
    it(`refuses Content-Encoding: "${shown}"`, async () => {
      const answer = await byLength('{}', `Content-Encoding: ${encoding}`);
      expect(answer.status).to.equal(415);
      expect(answer.body.error).to.equal('unsupported_media_type');
    });
  }

  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    // Node 20 cannot make one; the first bytes of each are these.
    ['zstd', () => Buffer.from('28b52ffda400009600'.padEnd(60, '0'), 'hex')],
  ] as const) {
    it(`does not inflate a ${encoding} bomb`, async () => {
      const answer = await request(edge.server)
        .post('/write/echo')
        .set('Content-Type', 'application/json')
        .set('Content-Encoding', encoding)
        .send(pack(Buffer.alloc(10_000_000)));
      expect(answer.status).to.equal(415);
    });
  }

  it('answers 431 to 5,000 encodings', async () => {
    const many = Array(5_000).fill('gzip').join(',');
    const answer = await byLength('{}', `Content-Encoding: ${many}`);
    expect(answer.status).to.equal(431);
  });

  it('takes half a body for none when its sender hangs up', async () => {
    const raw = rawPost(['Content-Length: 20'], '{"a":1}');
    const answer = await rawExchange(edge.port, (socket) => {
      socket.end(raw);
    });
    expect(answer.status).to.be.oneOf([0, 400]);
    expect(edge.logged).to.deep.equal([]);
  });

  it('answers an empty body with invalid_json', async () => {
    const answer = await byLength('');
    expect(answer.body.error).to.equal('invalid_json');
  });

  it('hands __proto__ on as an ordinary key', async () => {
    const answer = await byLength('{"__proto__":{"a":1}}');
    expect(answer.body.keys).to.deep.equal(['__proto__']);
  });

  it('sends 100 Continue only to a body it will read', async () => {
    const taken = await rawExchange(edge.port, (socket) => {
      socket.write(rawPost(['Content-Length: 2', 'Expect: 100-continue']));
      socket.once('data', () => socket.write('{}'));
    });
    expect(taken.text).to.match(/^HTTP\/1\.1 100 Continue\r\n/);
    expect(taken.status).to.equal(200);
    const refused = await rawExchange(
      edge.port,
      rawPost(['Content-Length: 65537', 'Expect: 100-continue']),
    );
    expect(refused.text).to.match(/^HTTP\/1\.1 413 /);
    const wrongType = await rawExchange(
      edge.port,
      rawPost(['Content-Length: 2', 'Expect: 100-continue']).replace(
        'application/json',
        'text/plain',
      ),
    );
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
    const answer = await byLength('{"a":1}');
    expect(answer.status).to.equal(200);
    expect(edge.logged).to.deep.equal([]);
  });
});
