import { once } from 'node:events';
import {
  Agent,
  get as ask,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createHttpServer } from '../../../server/http/edge/server.js';
import { givenBoard } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import { draft, ticketFor } from '../../support/wire.js';
import { givenReadable, reply, topic } from '../reading/fixture.js';
import { forSuite, rawGet } from './harness.js';

const FROM = 'X-Forwarded-For: 203.0.113.1';

function request(path: string, ...more: string[]): string {
  return [`GET ${path} HTTP/1.1`, 'Host: a', FROM, ...more, '', ''].join(
    '\r\n',
  );
}

function write(path: string, body: object): string {
  const text = JSON.stringify(body);
  const type = 'Content-Type: application/json';
  const length = `Content-Length: ${Buffer.byteLength(text)}`;
  return `${request(path, type, length).replace('GET', 'POST')}${text}`;
}

describe('requests that do not wait for the answer before', () => {
  const test = givenReadable();
  let root: number;
  let socket: Socket;
  let text = '';
  before(async () => {
    root = await topic(test);
  });

  beforeEach(async () => {
    text = '';
    socket = connect(Number(new URL(test.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await once(socket, 'connect');
  });

  afterEach(() => socket.destroy());

  const taken = () => test.board.context.readLimiter.taken('board');
  const poll = () => request(`/api/updates?since=${root}&wait=25`);
  const statuses = () =>
    [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);

  it('hold nothing behind a poll, and nothing once they are gone', async () => {
    const stream = request(
      `/api/updates?since=${root}`,
      'Accept: text/event-stream',
    );
    socket.write(poll() + stream.repeat(10) + poll().repeat(10));
    await until('a place', () => taken() > 0);
    expect(taken()).to.equal(1);
    socket.resetAndDestroy();
    await until('no place', () => taken() === 0);
  });

  it('are answered in their order, however many', async () => {
    const ways = ['/api/rooms', '/api/none', `/api/thread/${root}`];
    const many = Array.from({ length: 100 }, (_, n) => ways[n % 3] ?? '');
    const odd = request('/api/rooms', 'Expect: nothing');
    socket.write(poll() + many.map((path) => request(path)).join('') + odd);
    await until('a place', () => taken() === 1);
    expect(text).to.equal('');
    root = await reply(test, root);
    await until('all answers', () => statuses().length === 102);
    const each = many.map((path) => (path === '/api/none' ? '404' : '200'));
    expect(statuses()).to.deep.equal(['200', ...each, '400']);
    const [first = '', second = ''] = text.split(/HTTP\/1\.1 /).slice(1);
    expect(first).to.include(`"cursor":${root}`);
    expect(second).to.include('"title":"Lobby"');
  });

  it('read what one before has written', async () => {
    const ticket = await ticketFor(test.url, draft(root, 'Seen by the next.'));
    const path = `/api/thread/${root}?last=1`;
    const read = request(path);
    await test.as().get(path);
    socket.write(read + write('/write/publish', ticket) + read);
    await until('three answers', () => statuses().length === 3);
    await until('the last whole', () => text.endsWith('}'));
    expect(statuses()).to.deep.equal(['200', '201', '200']);
    expect(text.split(/HTTP\/1\.1 /)[3]).to.include('Seen by the next.');
  });
});

const MANY = 200;
const SPIN_MS = 2; // longer than all that wait may take in one turn

describe('requests of one connection, in turns', () => {
  const begun: string[] = [];
  const held: ServerResponse[] = [];
  let serve: (req: IncomingMessage, res: ServerResponse) => void;
  const server = createHttpServer((req, res) => {
    begun.push(req.url ?? '');
    serve(req, res);
  });
  const open = forSuite(server);

  beforeEach(() => {
    begun.length = 0;
    held.length = 0;
    serve = (_req, res) => void held.push(res);
  });

  it('are begun one after the other, and answered in order', async () => {
    const paths = ['/1', '/2', '/3'];
    const client = await open(paths.map((path) => rawGet(path)).join(''));
    for (const [n, path] of paths.entries()) {
      await until(`${path} to be begun`, () => begun.length > n);
      expect(begun).to.deep.equal(paths.slice(0, n + 1));
      held[n]?.end(`of ${path};`);
    }
    await until('all answers', () => client.got.includes('of /3;'));
    expect(client.got.match(/of \/\d;/g)?.join(' ')).to.equal(
      'of /1; of /2; of /3;',
    );
  });

  it('are forgotten when the client goes', async () => {
    const { socket } = await open(rawGet('/first') + rawGet('/second'));
    await until('the first to be begun', () => held.length === 1);
    socket.resetAndDestroy();
    await until('the end', () => held[0]?.destroyed === true);
    const other = await open(rawGet('/third') + rawGet('/fourth'));
    await until('another to be begun', () => held.length === 2);
    held[1]?.end();
    await until('the one behind it', () => held.length === 3);
    expect(begun).to.deep.equal(['/first', '/third', '/fourth']);
    other.socket.destroy();
  });

  it('leave room for other connections, however many they are', async () => {
    serve = (_req, res) => {
      const end = performance.now() + SPIN_MS;
      while (performance.now() < end);
      res.end();
      if (begun.length === 1) void open(rawGet('/other'));
    };
    await open(rawGet('/many').repeat(MANY));
    await until('all to be begun', () => begun.length === MANY + 1);
    expect(begun.indexOf('/other')).to.be.below(MANY);
  });

  it('are not begun for a reader who takes no answers', async () => {
    const answer = Buffer.alloc(8 * 1024 * 1024, 'a');
    serve = ({ url }, res) => void res.end(url === '/long' ? answer : 'short');
    const slow = await open('');
    slow.socket.pause();
    slow.socket.write(rawGet('/long').repeat(20));
    await until('it to begin', () => begun.length > 0);
    const other = await open(rawGet('/short').repeat(MANY));
    await until('the others', () => begun.length >= MANY + 1);
    await until('their answers', () => other.got.split('short').length > MANY);
    const long = begun.filter((url) => url === '/long');
    expect(long.length).to.be.below(10);
  });
});

const REQUESTS = 1_200;
const PATHS = ['/healthz', '/api/rooms', '/api/none'];
const STATUSES = [200, 200, 404];

describe('a connection that is used for 1,200 requests', () => {
  const test = givenBoard({ limits: { reads_per_network_minute: 1_000_000 } });
  const expected = Array.from({ length: REQUESTS }, (_, n) => STATUSES[n % 3]);

  it('has each answered, sent one after the other', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<Socket>();
    const seen: (number | undefined)[] = [];
    for (let n = 0; n < REQUESTS; n += 1) {
      const request = ask(`${test.url}${PATHS[n % 3]}`, { agent });
      const [answer] = await once(request, 'response');
      sockets.add(answer.socket);
      await text(answer);
      seen.push(answer.statusCode);
    }
    agent.destroy();
    expect(seen).to.deep.equal(expected);
    expect(sockets.size).to.equal(1);
  });
});

describe('a connection that sends more than is answered', () => {
  const SENT = 2_000;
  const WAITING = 1_000;
  /** One read of a socket is 64 KiB. */
  const REQUEST_BYTES = 1_024;
  const ONE_READ = 64;

  let heard = 0;
  let held: ServerResponse | undefined;
  const server = createHttpServer(
    (req, res) => {
      if (req.url === '/held') held = res;
      else res.end(`${req.url};`);
    },
    // Long enough that a slow machine has read the thousand by then.
    { headersTimeout: 2000 },
  );
  server.on('request', () => {
    heard += 1;
  });
  const open = forSuite(server);

  const get = (path: string): string => {
    const bytes = REQUEST_BYTES - rawGet(path, 'X-Fill: ').length;
    return rawGet(path, `X-Fill: ${'a'.repeat(bytes)}`);
  };

  it('is read no further until it is, and then to its end', async () => {
    // Of a request that is read in part only.
    const late = once(server, 'clientError');
    const many = await open();
    const paths = Array.from({ length: SENT }, (_, n) => `/${n}`);
    many.socket.write(get('/held') + paths.map(get).join(''));
    await until('a thousand to wait', () => heard > WAITING);
    await late;
    const other = await open();
    // Each gives the server a turn in which it could read on.
    const turns = 100;
    for (let n = 0; n < turns; n += 1) {
      other.socket.write(get(`/other${n}`));
      await until('the other', () => other.got.includes(`/other${n};`));
    }
    expect(heard - turns).to.be.at.most(1 + WAITING + ONE_READ);
    held?.end('/held;');
    await until('all answers', () => many.got.includes(`/${SENT - 1};`));
    expect(many.got.match(/\/\w+;/g)).to.deep.equal(
      ['/held', ...paths].map((path) => `${path};`),
    );
  });
});
