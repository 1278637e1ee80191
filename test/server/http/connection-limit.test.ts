import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { limitConnections } from '../../../server/http/edge/connections.js';
import { parseTrustProxy } from '../../../server/http/network.js';
import { until } from '../../support/until.js';
import { type Edge, startEdge } from './harness.js';

const MOST = 512;
const ASK = 'GET /api/list HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

describe('the connections of one network', () => {
  let edge: Edge;
  let open: Socket[];

  beforeEach(async () => {
    open = [];
    edge = await startEdge({ headersTimeout: 60_000, requestTimeout: 60_000 });
  });

  afterEach(async () => {
    for (const socket of open) socket.destroy();
    await edge.stop();
  });

  async function dial(localAddress: string): Promise<Socket> {
    const { port } = edge;
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    socket.on('error', () => {});
    open.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  async function answerTo(socket: Socket): Promise<string> {
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.write(ASK);
    await once(socket, 'close');
    return text;
  }

  async function fill(localAddress: string, count: number): Promise<void> {
    const before = await connections();
    for (let n = 0; n < count; n += 1) await dial(localAddress);
    await until('all are taken', async () => {
      return (await connections()) === before + count;
    });
  }

  const connections = (): Promise<number> =>
    new Promise((resolve) => {
      edge.server.getConnections((_error, count) => resolve(count));
    });

  it('are 512, and one less makes room for another', async () => {
    limitConnections(edge.server, { trusted: [], waitsPerNetwork: 64 });
    await fill('127.0.0.1', MOST);
    const refused = await answerTo(await dial('127.0.0.1'));
    expect(refused).to.match(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
    expect(refused).to.include('Retry-After: 1\r\n');
    const body = JSON.parse(refused.slice(refused.indexOf('\r\n\r\n')));
    expect(body).to.include({ error: 'rate_limited', retry_after_seconds: 1 });
    const other = await answerTo(await dial('127.0.0.2'));
    expect(other).to.match(/^HTTP\/1\.1 200 /);
    open[0]?.destroy();
    await until('it is gone', async () => (await connections()) < MOST);
    const next = await answerTo(await dial('127.0.0.1'));
    expect(next).to.match(/^HTTP\/1\.1 200 /);
    expect(edge.logged).to.deep.equal([]);
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
