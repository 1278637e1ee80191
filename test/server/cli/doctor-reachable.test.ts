import { createServer, type Server } from 'node:http';
import type { Check } from '../../../server/cli/doctor/check.js';
import { forwarded } from '../../../server/cli/doctor/proxy.js';
import {
  nodeAnswers,
  publicAddress,
} from '../../../server/cli/doctor/reachable.js';
import { givenBoard } from '../../support/hooks.js';
import { passOn } from '../../support/pass-on.js';
import { type Serving, serving } from '../../support/serving.js';

type Forwarded = (sent: string | undefined) => string | undefined;

const MODES: Record<string, Forwarded> = {
  overwrites: () => '203.0.113.9',
  appends: (sent) => (sent ? `${sent}, 203.0.113.9` : '203.0.113.9'),
  believes: (sent) => sent ?? '203.0.113.9',
  forgets: () => undefined,
};

describe('doctor, about the public address', () => {
  const test = givenBoard({ env: { TRUST_PROXY: '127.0.0.1/32' } });
  const servers: Serving[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });

  async function serve(server: Server): Promise<string> {
    const listening = await serving(server);
    servers.push(listening);
    return listening.url;
  }

  async function proxy(forwarded: Forwarded): Promise<string> {
    const server = createServer((req, res) => {
      const { connection: _, upgrade: __, ...headers } = req.headers;
      const { 'x-forwarded-for': sent, ...others } = headers;
      const named = forwarded(sent === undefined ? undefined : String(sent));
      const passed = { ...others, ...(named && { 'X-Forwarded-For': named }) };
      passOn(req, res, new URL(req.url ?? '/', test.url), passed);
    });
    return await serve(server);
  }

  async function look(baseUrl: string): Promise<Map<string, Check>> {
    const { config, board } = test.board.context;
    const { origin } = board;
    const checks = await publicAddress(
      { ...config, baseUrl },
      test.url,
      origin,
    );
    return new Map(checks.map((check) => [check.name, check]));
  }

  const EXPECTED = {
    overwrites: 'ok',
    appends: 'ok',
    believes: 'fail',
    forgets: 'warn',
  } as const;
  for (const [mode, state] of Object.entries(EXPECTED)) {
    it(`finds what a proxy that ${mode} does with addresses: ${state}`, async () => {
      const url = await proxy(MODES[mode] ?? (() => undefined));
      const row = await forwarded(url, test.url, true);
      expect(row.state, row.detail).to.equal(state);
      if (state !== 'ok') expect(row.fix).to.include('X-Forwarded-For');
    });
  }

  it('finds a proxy that passes no websocket', async () => {
    const rows = await look(await proxy(() => '203.0.113.9'));
    expect(rows.get('public address')?.state).to.equal('ok');
    const row = rows.get('websockets');
    expect(row?.state).to.equal('warn');
    expect(row?.fix).to.include('Upgrade');
    expect((await look(test.url)).get('websockets')?.state).to.equal('ok');
  });

  it('finds an address where nobody, or somebody else, answers', async () => {
    const away = await look('http://127.0.0.1:1');
    expect(away.get('public address')).to.include({ state: 'warn' });
    const other = createServer((_, res) => res.end('other.example/log\n1\n'));
    const rows = await look(await serve(other));
    expect(rows.get('public address')).to.include({ state: 'fail' });
    expect([...rows.keys()]).to.deep.equal(['public address']);
  });

  it('asks nothing of a board of this machine without a proxy', async () => {
    const { config, board } = test.board.context;
    const alone = { ...config, trustProxy: '', baseUrl: test.url };
    expect(await publicAddress(alone, test.url, board.origin)).to.deep.equal(
      [],
    );
    expect((await nodeAnswers('http://127.0.0.1:1')).state).to.equal('warn');
  });
});
