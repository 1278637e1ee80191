import { givenReadable, topic } from '../reading/fixture.js';
import { castRating, rate, ratingTicket, scoreOf } from '../votes/rating.js';
import { type RawAnswer, rawExchange } from './harness.js';

const CLIENT = '203.0.113.77';
const FORWARDED = `X-Forwarded-For: ${CLIENT}`;
/** What is sent besides those that are counted out. */
const OWN = ['Host: a', 'Connection: close', FORWARDED];

const many = (count: number, line = 'a:'): string[] =>
  Array<string>(count).fill(line);

function request(line: string, headers: readonly string[], body = ''): string {
  return `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

/** As many as are named, X-Forwarded-For among them. */
const PLACES: [name: string, (count: number) => string[]][] = [
  ['before', (count) => [...OWN, ...many(count - OWN.length)]],
  ['behind', (count) => [...many(count - OWN.length), ...OWN]],
  [
    'between',
    (count) => {
      const rest = many(count - OWN.length);
      return [...rest.slice(0, 500), ...OWN, ...rest.slice(500)];
    },
  ],
];

const WEBSOCKET = [
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const H2C = ['Connection: Upgrade', 'Upgrade: h2c'];
const JSON_BODY = ['Content-Type: application/json', 'Content-Length: 2'];
const CHUNKED = [
  'Content-Type: application/json',
  'Transfer-Encoding: chunked',
];
const LIVE = 'GET /admin/socket.io/?EIO=4&transport=websocket';

const ASKED: [line: string, headers?: string[], body?: string][] = [
  ['GET /'],
  ['GET /healthz'],
  ['GET /api/threads'],
  ['HEAD /api/threads'],
  ['OPTIONS /api/threads'],
  ['DELETE /api/threads'],
  ['GET /api/updates?since=0&wait=25'],
  ['GET /log/checkpoint'],
  ['GET /no/such/page'],
  ['GET http://other.test/api/threads'],
  ['GET /admin'],
  ['GET /admin/api/access'],
  ['POST /admin/api/sign-in/passphrase', JSON_BODY, '{}'],
  ['POST /write/preview', JSON_BODY, '{}'],
  ['POST /write/preview', CHUNKED, '2\r\n{}\r\n0\r\n\r\n'],
  ['POST /write/preview', [...JSON_BODY, 'Expect: 100-continue'], '{}'],
  ['POST /mcp', JSON_BODY, '{}'],
  ['CONNECT other.test:443'],
  [LIVE, WEBSOCKET],
  ['GET /api/threads', H2C],
];

function expectRefused(answer: RawAnswer, isHead: boolean): void {
  expect(answer.status, answer.text.slice(0, 300)).to.equal(431);
  expect(answer.head).to.contain('connection: close');
  expect(answer.head).to.contain('x-content-type-options: nosniff');
  if (isHead) return;
  expect(answer.body.error).to.equal('headers_too_large');
  expect(answer.body.detail).to.be.a('string').that.includes('send fewer');
  expect(answer.text.match(/HTTP\/1\.1 /g)).to.have.length(1);
}

describe('a request with more headers than are kept', () => {
  const test = givenReadable();
  let port: number;
  before(async () => {
    port = Number(new URL(test.url).port);
    await topic(test);
  });
  for (const [line, headers = [], body] of ASKED) {
    it(`is refused: ${line} ${headers.join(', ')}`, async () => {
      const all = [...OWN, ...headers, ...many(1_000)];
      const answer = await rawExchange(port, request(line, all, body));
      expectRefused(answer, line.startsWith('HEAD'));
    });
  }

  for (const [where, headers] of PLACES) {
    for (const count of [1_000, 1_001, 1_005, 2_100]) {
      it(`is refused at ${count}, X-Forwarded-For ${where} them`, async () => {
        const asked = request('GET /api/rooms', headers(count));
        expectRefused(await rawExchange(port, asked), false);
      });
    }

    it(`is not refused at 999, X-Forwarded-For ${where} them`, async () => {
      const asked = request('GET /api/rooms', headers(999));
      expect((await rawExchange(port, asked)).status).to.equal(200);
    });
  }

  it('gives nobody a second vote', async () => {
    const id = await topic(test);
    expect((await rate(test, id, 1, CLIENT)).status).to.equal(201);
    const ticket = await ratingTicket(test, id, 1, '127.0.0.1');
    expect((await castRating(test, id, ticket, CLIENT)).status).to.equal(409);
    const body = JSON.stringify(ticket);
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    const own = ['Host: a', 'Connection: close', JSON_BODY[0] ?? '', length];
    const all = [...own, ...many(1_005), FORWARDED];
    const asked = request(`POST /api/messages/${id}/votes`, all, body);
    expectRefused(await rawExchange(port, asked), false);
    expect(await scoreOf(test, id)).to.equal(1);
  });

  it('is not one with many trailers, which nobody reads', async () => {
    const trailers = [...many(1_500), 'X-Forwarded-For: 198.51.100.9'];
    const body = `2\r\n{}\r\n0\r\n${trailers.join('\r\n')}\r\n\r\n`;
    const asked = request('POST /write/preview', [...OWN, ...CHUNKED], body);
    const answer = await rawExchange(port, asked);
    // Later releases of Node count trailers as well.
    const errors = { 400: 'invalid_input', 431: 'headers_too_large' };
    expect(errors).to.have.property(`${answer.status}`, answer.body.error);
  });
});
