import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { takeUpgrades } from '../../../server/http/edge/connections.js';
import { createHttpServer } from '../../../server/http/edge/server.js';
import { until } from '../../support/until.js';
import { type Client, forSuite, rawGet as get } from './harness.js';

const OFFER = [
  'Connection: Upgrade, HTTP2-Settings',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQAAP__',
];

function request(line: string, ...headers: string[]): string {
  return [`${line} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');
}
const offered = (path: string) => get(path, ...OFFER);

describe('what leaves HTTP behind answers that are owed', () => {
  const begun: string[] = [];
  const held: ServerResponse[] = [];
  const server = createHttpServer(async (req, res) => {
    begun.push(req.url ?? '');
    let body = '';
    for await (const part of req) body += part;
    if (req.url === '/held') held.push(res);
    else res.end(`${req.url} ${body};`);
  });
  const isLive = ({ url }: IncomingMessage) => url === '/live';
  takeUpgrades(server, isLive, (req, socket) => {
    begun.push(`upgrade ${req.url}`);
    socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nlive;');
  });
  const send = forSuite(server);

  beforeEach(() => {
    begun.length = 0;
    held.length = 0;
  });

  async function release(client: Client): Promise<void> {
    await until('the first to be begun', () => held.length === 1);
    expect(client.got).to.equal('');
    held[0]?.end('/held ;');
  }

  const answers = ({ got }: Client) => got.match(/\/\S+ \w*;/g);

  it('is answered after them, with all that follows', async () => {
    const body = ['Content-Type: text/plain', 'Content-Length: 4'];
    const client = await send(
      [
        ...[get('/held'), get('/1'), offered('/2'), offered('/3'), get('/4')],
        `${request('POST /5', ...OFFER, ...body)}body`,
        ...[offered('/6'), get('/7')],
      ].join(''),
    );
    await release(client);
    await until('the last', () => client.got.includes('/7 ;'));
    expect(answers(client)).to.deep.equal([
      '/held ;',
      '/1 ;',
      '/2 ;',
      '/3 ;',
      '/4 ;',
      '/5 body;',
      '/6 ;',
      '/7 ;',
    ]);
  });

  it('is answered where more are owed than are read ahead', async () => {
    const paths = Array.from({ length: 1_200 }, (_, n) => `/${n}`);
    const after = offered('/offered') + get('/last');
    const client = await send(
      get('/held') + paths.map((path) => get(path)).join('') + after,
    );
    await release(client);
    await until('the last', () => client.got.includes('/last ;'));
    expect(answers(client)).to.deep.equal(
      ['/held', ...paths, '/offered', '/last'].map((path) => `${path} ;`),
    );
  });

  it('has a time of its own, not what is left of an idle connection', async () => {
    const client = await send(get('/held') + offered('/held'));
    await release(client);
    await until('the second to be begun', () => held.length === 2);
    expect(held[1]?.req.socket.timeout).to.equal(0);
    held[1]?.end('/second ;');
    await until('its answer', () => client.got.includes('/second'));
  });

  it('takes the connection over only then', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
    const client = await send(get('/held') + get('/live', ...upgrade));
    await release(client);
    await until('the end', () => client.got.endsWith('live;'));
    expect(begun).to.deep.equal(['/held', 'upgrade /live']);
    expect(client.got).to.match(/^HTTP\/1\.1 200 .*\/held ;HTTP\/1\.1 101 /s);
  });

  it('is refused in words where it is a tunnel', async () => {
    const client = await send(get('/held') + request('CONNECT a.test:443'));
    await release(client);
    await once(client.socket, 'close');
    expect(client.got).to.match(/^HTTP\/1\.1 200 .*\/held ;HTTP\/1\.1 400 /s);
    const body = client.got.slice(client.got.lastIndexOf('\r\n\r\n'));
    expect(JSON.parse(body)).to.have.property('error', 'invalid_input');
  });

  it('is forgotten when the client goes', async () => {
    const client = await send(get('/held') + offered('/never'));
    await until('the first to be begun', () => held.length === 1);
    client.socket.resetAndDestroy();
    await until('the end', () => held[0]?.closed === true);
    const other = await send(get('/next'));
    await until('the next', () => other.got.includes('/next ;'));
    expect(begun).to.deep.equal(['/held', '/next']);
  });
});
