import { once } from 'node:events';
import { Agent, get as ask, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createHttpServer } from '../../../server/http/edge/server.js';
import { givenBoard } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import { forSuite, rawGet } from './harness.js';

/** More than a connection once served, and than wait on it now. */
const MANY = 1_200;
const PATHS = ['/healthz', '/api/rooms', '/api/none'];
const STATUSES = [200, 200, 404];
const FROM = 'X-Forwarded-For: 203.0.113.1';

describe('a connection that is used for 1,200 requests', () => {
  const test = givenBoard({
    limits: { reads_per_network_minute: 1_000_000 },
  });
  const expected = Array.from({ length: MANY }, (_, n) => STATUSES[n % 3]);

  it('has each answered, sent one after the other', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<Socket>();
    const seen: (number | undefined)[] = [];
    for (let n = 0; n < MANY; n += 1) {
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

  it('has each answered, sent all at once', async () => {
    const socket = connect(Number(new URL(test.url).port), '127.0.0.1');
    let got = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      got += part;
    });
    const requests = expected.map((_, n) => {
      const last = n === MANY - 1 ? ['Connection: close'] : [];
      return rawGet(PATHS[n % 3] ?? '', FROM, ...last);
    });
    socket.write(requests.join(''));
    await once(socket, 'close');
    const wanted = expected.map((status) => `HTTP/1.1 ${status}`);
    expect(got.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(wanted);
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
