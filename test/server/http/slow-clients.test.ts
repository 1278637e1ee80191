import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { limitConnections } from '../../../server/http/edge/connections.js';
import { createHttpServer } from '../../../server/http/edge/server.js';
import { parseTrustProxy } from '../../../server/http/network.js';
import { recordFaults } from '../../faults/report.js';
import { given, givenEach } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import {
  forSuite,
  type RawAnswer,
  rawExchange,
  rawGet,
  rawPost,
  startEdge,
} from './harness.js';

const EDGE = {
  requestTimeout: 400,
  headersTimeout: 200,
  connectionsCheckingInterval: 50,
};
/** So much that even a busy machine reads first what was sent at once. */
const UNHURRIED = { ...EDGE, requestTimeout: 3000, headersTimeout: 3000 };

describe('slow clients', () => {
  const edge = given(() => startEdge(EDGE));
  let answers: Promise<RawAnswer[]>[];
  before(() => {
    answers = DRIP.map(([, start]) =>
      Promise.all(
        Array.from({ length: 20 }, () => rawExchange(edge.port, start)),
      ),
    );
  });

  const DRIP: [string, string][] = [
    ['that never end their headers', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    ['that stop in the middle of the request line', 'GET /api/li'],
    ['that never end their body', rawPost(['Content-Length: 10'], '{')],
    [
      'that never end their chunks',
      rawPost(['Transfer-Encoding: chunked'], '2\r\n{}\r\n'),
    ],
    [
      'that never send what they asked to continue',
      rawPost(['Content-Length: 10', 'Expect: 100-continue']),
    ],
  ];
  for (const [n, [name]] of DRIP.entries()) {
    it(`answers 408 to 20 clients ${name}`, async () => {
      const those = (await answers[n]) ?? [];
      expect(those).to.have.length(20);
      for (const answer of those) {
        expect(answer.status).to.equal(408);
        expect(answer.body.error).to.equal('request_timeout');
        expect(answer.ms).to.be.at.least(100);
      }
      await recordFaults({ test: 'D2 cut short', faults: those.length });
    });
  }

  it('sends no 408 after the answer to a request whose body never ends', async () => {
    const raw = rawPost(['Content-Length: 10'], '{')
      .replace('application/json', 'text/plain')
      .replace('Connection: close\r\n', '');
    const unhurried = await startEdge(UNHURRIED);
    try {
      const answer = await rawExchange(unhurried.port, raw);
      expect(answer.text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal([
        'HTTP/1.1 415',
      ]);
      expect(unhurried.logged).to.deep.equal([]);
    } finally {
      await unhurried.stop();
    }
  });

  it('logs none of this as an error', () => {
    expect(edge.logged).to.deep.equal([]);
  });
});

const MB = 1024 * 1024;
/** The longest is more than the system takes for a reader who takes nothing. */
const LONG = 64 * MB;
const BYTES: Record<string, number> = {
  '/short': 5,
  '/middling': MB,
  '/long': LONG,
};
const READERS = 5;
const ASKED = 60;

describe('readers who take nothing', () => {
  const answers: ServerResponse[] = [];
  const server = createHttpServer(
    (req, res) => {
      answers.push(res);
      res.end(Buffer.alloc(BYTES[req.url ?? ''] ?? 0, 'a'));
    },
    {
      sendTimeout: 200,
      connectionsCheckingInterval: 50,
      keepAliveTimeout: 240_000, // however long the slow ones take
    },
  );

  const open = forSuite(server);

  beforeEach(() => {
    answers.length = 0;
  });

  async function ask(path: string, times = 1): Promise<Socket> {
    const { socket } = await open();
    socket.removeAllListeners('data').pause();
    socket.write(rawGet(path).repeat(times));
    return socket;
  }

  async function rest(socket: Socket): Promise<number> {
    let bytes = 0;
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    // From Node 24 on a connection that is let go ends as one that was reset.
    socket.on('error', () => {}).resume();
    await new Promise((resolve) => socket.once('close', resolve));
    return bytes;
  }

  it('are let go with what waited for them, and nobody else', async () => {
    const idle = await ask('/short');
    const slow = await Promise.all(
      Array.from({ length: READERS }, () => ask('/long')),
    );
    await until('all are answered', () => answers.length === READERS + 1);
    const long = answers.filter(({ req }) => req.url === '/long');
    await until('they are let go', () => long.every((res) => res.destroyed));
    const most = await Promise.all(slow.map(rest));
    expect(Math.max(...most)).to.be.below(LONG);
    // Of the first reader's connection nothing was taken away.
    idle.write('GET /short HTTP/1.1\r\nHost: a\r\n\r\n');
    await until('another answer', () => answers.length === READERS + 2);
    for (const socket of [idle, ...slow]) socket.destroy();
  });

  it('have no more time for many answers asked for at once', async () => {
    const socket = await ask('/middling', ASKED);
    let taken = 0;
    socket.on('data', (part: Buffer) => {
      taken += part.length;
      if (taken >= MB) socket.pause();
    });
    // Each of them well in time, all of them thirty times too late.
    const timer = setInterval(() => {
      taken = 0;
      socket.resume();
    }, 100);
    await until('it is let go', () => socket.destroyed);
    clearInterval(timer);
    expect(answers.length).to.be.below(ASKED);
  });
});

const MOST = 512;
const ASK = rawGet('/api/list', 'Connection: close');
/** A POST whose body comes later, or never. */
const BEGUN = rawPost(['Content-Length: 2'], '{');

describe('the connections of one network', () => {
  const times = { headersTimeout: 60_000, requestTimeout: 60_000 };
  const edge = givenEach(() => startEdge(times));
  const open: Socket[] = [];

  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
  });

  async function dial(localAddress: string): Promise<Socket> {
    const { port } = edge;
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    socket.on('error', () => {});
    open.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  async function answerTo(socket: Socket, asked = ASK): Promise<string> {
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.write(asked);
    await once(socket, 'close');
    return text;
  }

  async function fill(localAddress: string, count: number): Promise<void> {
    const before = await connections();
    for (let n = 0; n < count; n += 1) (await dial(localAddress)).write(BEGUN);
    await until('all are taken', async () => {
      return (await connections()) === before + count;
    });
  }

  const connections = (): Promise<number> =>
    new Promise((resolve) => {
      edge.server.getConnections((_error, count) => resolve(count));
    });

  it('are 512, however slow their bodies, and one that comes to its end makes room', async () => {
    limitConnections(edge.server, { trusted: [], waitsPerNetwork: 64 });
    await fill('127.0.0.1', MOST);
    const refused = await answerTo(await dial('127.0.0.1'));
    expect(refused).to.match(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
    expect(refused).to.include('Retry-After: 1\r\n');
    const body = JSON.parse(refused.slice(refused.indexOf('\r\n\r\n')));
    expect(body).to.include({ error: 'rate_limited', retry_after_seconds: 1 });
    const other = await answerTo(await dial('127.0.0.2'));
    expect(other).to.match(/^HTTP\/1\.1 200 /);
    const [late, gone] = open;
    if (late === undefined) throw new Error('none is open');
    expect(await answerTo(late, '}')).to.match(/^HTTP\/1\.1 200 /);
    await fill('127.0.0.1', 1);
    gone?.destroy();
    await until('it is gone', async () => (await connections()) < MOST);
    const next = await answerTo(await dial('127.0.0.1'));
    expect(next).to.match(/^HTTP\/1\.1 200 /);
    expect(edge.logged).to.deep.equal([]);
    await recordFaults({ test: 'F19 places', faults: MOST });
  });

  it('are not those of a trusted proxy, and more where more may wait', async () => {
    const trusted = parseTrustProxy('127.0.0.1');
    limitConnections(edge.server, { trusted, waitsPerNetwork: 65 });
    await fill('127.0.0.1', MOST + 10);
    const proxied = await answerTo(await dial('127.0.0.1'));
    expect(proxied).to.match(/^HTTP\/1\.1 200 /);
    await fill('127.0.0.3', MOST);
    const lifted = await answerTo(await dial('127.0.0.3'));
    expect(lifted).to.match(/^HTTP\/1\.1 200 /);
  });
});
