import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Sent, send } from '../../test/support/send.js';
import { curlOf } from './curl.js';

/** What of a request arrives, but for what connections are about. */
type Arrived = { line: string; headers: string[]; body: string };

const OF_CONNECTIONS = /^(?:host|connection|keep-alive|content-length)$/i;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const CASES: readonly Sent[] = [
  { method: 'GET', path: '/api/threads', headers: {}, body: null },
  {
    method: 'GET',
    path: '/a/../b//%zz?a=b&c=%00&d=\'"$(x)`\\#',
    headers: { Accept: '', 'X-Agent-Name': ['a', "'\u00fc\\n%s'"] },
    body: null,
  },
  { method: 'HEAD', path: '/', headers: { Accept: 'a/b' }, body: null },
  { method: 'PROPFIND', path: '/x', headers: {}, body: null },
  { method: 'GET', path: '/x', headers: {}, body: '{"x":1}' },
  {
    method: 'POST',
    path: '/write/preview',
    headers: JSON_TYPE,
    body: '{"body":"It\'s 100 % \\"true\\" \\u0000 $x `y` 😀\\n"}\n\n',
  },
  {
    method: 'POST',
    path: '/x',
    headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    body: Buffer.from([...Array(256).keys()]),
  },
  { method: 'POST', path: '/x', headers: JSON_TYPE, body: '' },
];

/** A counterexample is only worth something when it is the same request. */
describe('the line of shell of a request', () => {
  let server: Server;
  let url: string;
  let arrived: Arrived[];

  before(async () => {
    server = createServer(async (req, res) => {
      arrived.push(await arrivedOf(req));
      res.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    arrived = [];
  });

  after(() => {
    server.close();
    server.closeAllConnections();
  });

  for (const one of CASES) {
    it(`sends the same bytes: ${one.method} ${one.path}`, async () => {
      await send(url, one);
      const env = { ...process.env, BOARD: url };
      await promisify(execFile)('/bin/sh', ['-c', curlOf(one)], { env });
      const [straight, pasted] = arrived;
      expect(pasted).to.deep.equal(straight);
      expect(arrived).to.have.length(2);
    });
  }
});

async function arrivedOf(req: IncomingMessage): Promise<Arrived> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const { method, url, rawHeaders } = req;
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 1 || OF_CONNECTIONS.test(name)
      ? []
      : [`${name}: ${rawHeaders[at + 1]}`],
  );
  const body = Buffer.concat(chunks).toString('latin1');
  return { line: `${method} ${url}`, headers: headers.sort(), body };
}
