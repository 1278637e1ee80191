import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { watchBoard } from '../../../server/dashboard/monitoring/watch-board.js';
import type { Logger } from '../../../server/logger.js';
import { openAlerts } from '../../../server/operations/alerts.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { methodsOf } from './openapi/declared.js';

const HOUR_MS = 3_600_000;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const NAMED = { 'X-Forwarded-For': '203.0.113.5' };
const WEBSOCKET = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** An address of this machine that is none of loopback; not all have one. */
const OWN = Object.values(networkInterfaces())
  .flatMap((found) => found ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4')
  .slice(0, 1);

/** What a proxy may ask for itself, for its own health and for the mesh. */
const OPEN = /^\/(?:healthz$|readyz$|log\/|mirror\/|api\/mesh(?:\/|$))/;

/** Addresses that look like those of `OPEN`, or are no routes of the app. */
const READS = [
  ...['/api/updates?since=0&wait=25', '/no/such/page', '/mcp'],
  ...['/admin', '/admin/api/access', '/admin/socket.io/?EIO=4'],
  ...['/healthzz', '/readyz2', '/logs', '/log-1/checkpoint', '/mirrors'],
  ...['/api/meshes', '/api/mesh%2Fx', '/log%2Fcheckpoint', '/%6cog/checkpoint'],
  ...['//healthz', '/x/healthz', '/?/healthz', '/api?x=/api/mesh'],
];
const FOR_ITSELF: [path: string, status: number][] = [
  ['/healthz', 200],
  ['/readyz', 503], // the clock of a test is not the database's
  ['/log/checkpoint', 200],
  ['/log/consistency', 400],
  ['/log2/checkpoint', 404],
  ['/log', 404],
  ['/mirror', 404],
  ['/mirror/00/checkpoint', 404],
  ['/api/mesh', 200],
  ['/api/mesh?x=1', 200],
  ['/api/mesh/boards', 200],
];

for (const { address } of OWN) {
  describe('a proxy on another machine that names no client', () => {
    let test: TestBoard;
    let port: string;
    const warned: string[] = [];
    let warn: Logger['warn'];

    before(async () => {
      const env = { HOST: '0.0.0.0', TRUST_PROXY: `${address}, 127.0.0.1` };
      test = await startBoard({ env });
      ({ port } = new URL(test.url));
      await publish(test); // what asks for updates need not wait
      const { log } = test.board.context;
      ({ warn } = log);
      log.warn = (fields, message) => {
        const line = `${JSON.stringify(fields)} ${message}`;
        if (line.includes('proxy')) warned.push(line);
      };
    });
    after(async () => {
      test.board.context.log.warn = warn;
      await test.stop();
    });

    const ask = (path: string, init?: RequestInit, host = address) =>
      fetch(`http://${host}:${port}${path}`, init);

    async function expectRefused(answer: Response): Promise<void> {
      expect(answer.status).to.equal(400);
      const said = await answer.json();
      // /mcp refuses in JSON-RPC, with the board's error in it.
      const body = said.jsonrpc === undefined ? said : said.error.data;
      expect(body).to.have.keys('error', 'detail');
      expect(body.error).to.equal('invalid_input');
      expect(body.detail).to.match(/X-Forwarded-For.*TRUST_PROXY/);
    }

    for (const path of READS) {
      it(`is refused: GET ${path}`, async () => {
        // Also where the answer is kept already.
        await (await ask(path, { headers: NAMED })).text();
        await expectRefused(await ask(path));
      });
    }

    const post = { method: 'POST', headers: JSON_TYPE, body: '{}' };

    it('is refused at every route but those', async () => {
      for (const [template, methods] of methodsOf(test)) {
        if (OPEN.test(template)) continue;
        const path = template.replace(/\{\w+\}/g, '1');
        for (const method of methods) {
          const init: RequestInit = method === 'post' ? post : {};
          const named = { headers: { ...JSON_TYPE, ...NAMED } };
          const redirect = 'manual';
          await (await ask(path, { ...init, ...named, redirect })).text();
          await expectRefused(await ask(path, init));
        }
      }
    });

    it('is refused: POST of a sign-in', async () => {
      await expectRefused(await ask('/admin/api/sign-in/passphrase', post));
    });

    it('is refused: HEAD, OPTIONS and the socket of dashboards', async () => {
      const head = await ask('/api/threads', { method: 'HEAD' });
      expect(head.status).to.equal(400);
      const options = await ask('/api/threads', { method: 'OPTIONS' });
      await expectRefused(options);
      await expectRefused(await upgrade());
    });

    for (const [path, status] of FOR_ITSELF) {
      it(`speaks for itself: GET ${path}`, async () => {
        const answer = await ask(path);
        expect(answer.status).to.equal(status);
        expect(await answer.text()).not.to.include('TRUST_PROXY');
      });
    }

    it('speaks for itself on loopback', async () => {
      const answer = await ask('/api/threads', {}, '127.0.0.1');
      expect(answer.status).to.equal(200);
    });

    it('is heard once it names one', async () => {
      const named = await ask('/api/threads', { headers: NAMED });
      expect(named.status).to.equal(200);
      const headers = { 'X-Forwarded-For': 'unknown' };
      const unreadable = await ask('/api/threads', { headers });
      expect(unreadable.status).to.equal(400);
    });

    it('raises one alarm an hour, which ends two hours after the last', async () => {
      const { context } = test.board;
      const open = async () => {
        const all = await openAlerts(context.writes);
        return all.filter(({ kind }) => kind === 'proxy_without_client');
      };
      const look = () => watchBoard(context, null);
      const times = async () => (await open()).map((one) => one.times);
      await ask('/api/threads');
      await until('the alarm', async () => (await open()).length === 1);
      expect(await times()).to.deep.equal([1]);
      expect(warned).to.have.length(1);
      test.clock.advance(HOUR_MS - 1);
      await ask('/api/threads');
      expect(warned).to.have.length(1);
      test.clock.advance(1);
      for (let n = 0; n < 5; n += 1) await ask('/api/threads');
      await until('the second', async () => (await times())[0] === 2);
      expect(warned).to.have.length(2);
      test.clock.advance(2 * HOUR_MS - 1);
      await look();
      expect(await times()).to.deep.equal([2]);
      const told = JSON.stringify([await open(), warned]);
      expect(told).to.include('X-Forwarded-For').and.not.include(address);
      test.clock.advance(1);
      await look();
      expect(await open()).to.deep.equal([]);
    });

    async function upgrade(): Promise<Response> {
      const path = '/admin/socket.io/?EIO=4&transport=websocket';
      const headers = { ...WEBSOCKET, Origin: 'http://board.test' };
      return await new Promise((resolve, reject) => {
        request({ host: address, port, path, headers }, async (answer) => {
          let text = '';
          for await (const part of answer) text += part;
          resolve(new Response(text, { status: answer.statusCode ?? 0 }));
        })
          .on('error', reject)
          .end();
      });
    }
  });
}
