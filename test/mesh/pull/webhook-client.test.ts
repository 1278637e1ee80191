import type { LookupFunction } from 'node:net';
import { WebhookClient } from '../../../mesh/pull/fetch/webhook-client.js';
import { givenEach } from '../../support/hooks.js';
import { PUBLIC, SPECIAL, scripted } from './addresses.js';
import { outbound } from './outbound.js';

const TEXT = '{"type":"test"}';
const { signal } = new AbortController();

describe('the client of webhooks', () => {
  const clients: WebhookClient[] = [];

  const out = givenEach(outbound);
  afterEach(async () => {
    for (const one of clients.splice(0)) await one.close();
  });

  const client = (
    origins: string[],
    lookup?: LookupFunction,
    headers = 60_000,
  ) => {
    const timeouts = { connect: 300, headers };
    const named = lookup === undefined ? {} : { lookup };
    const made = new WebhookClient({ origins, timeouts, ...named });
    clients.push(made);
    return made;
  };

  it('posts a text as it is, and reads no answer', async () => {
    const got: unknown[] = [];
    out.handler = (req, res) => {
      let text = '';
      req.on('data', (some) => {
        text += some;
      });
      req.on('end', () => {
        got.push([req.method, req.url, req.headers['webhook-id'], text]);
        // An answer without an end.
        res.writeHead(200);
        res.write('x'.repeat(100_000));
      });
    };
    const url = `${out.base}/hook?a=b`;
    const headers = { 'webhook-id': 'one' };
    const sent = await client([out.base]).deliver(url, TEXT, headers, signal);
    expect(sent).to.deep.equal({ ok: true, value: 200 });
    expect(got).to.deep.equal([['POST', '/hook?a=b', 'one', TEXT]]);
  });

  it('reaches no address inside, however it is named', async () => {
    const { port } = new URL(out.base);
    const refused = { ok: false, reason: 'address_refused' };
    for (const address of SPECIAL) {
      const names = [[address], [PUBLIC[0] ?? '', address]];
      for (const found of names) {
        const sent = await client([], scripted(found)).deliver(
          `https://hook.example:${port}/`,
          TEXT,
          {},
          signal,
        );
        expect(sent, found.join()).to.deep.equal(refused);
      }
    }
    const plain = await client([]).deliver(`${out.base}/`, TEXT, {}, signal);
    expect(plain).to.deep.equal({ ok: false, reason: 'bad_url' });
    expect(out.hits).to.deep.equal([]);
  });

  it('connects to the address it looked up once, even if the name changes', async () => {
    const { port } = new URL(out.base);
    let lookups = 0;
    const inner = scripted(['127.0.0.1'], PUBLIC);
    const lookup: LookupFunction = (...asked) => {
      lookups += 1;
      inner(...asked);
    };
    out.handler = (_req, res) => res.writeHead(204).end();
    const origin = `http://hook.example:${port}`;
    const listed = client([origin], lookup);
    const sent = await listed.deliver(`${origin}/`, TEXT, {}, signal);
    expect(sent).to.deep.equal({ ok: true, value: 204 });
    expect(lookups).to.equal(1);
    // Another origin of the same host is not on the list.
    const here = scripted(['127.0.0.1']);
    const other = await client([origin], here).deliver(
      `https://hook.example:${port}/`,
      TEXT,
      {},
      signal,
    );
    expect(other).to.deep.equal({ ok: false, reason: 'address_refused' });
    expect(out.hits).to.deep.equal(['/']);
  });

  it('follows no redirect, and ends what hangs', async () => {
    out.handler = (req, res) => {
      if (req.url === '/moved') {
        res.writeHead(307, { Location: '/target' }).end();
      }
    };
    const moved = `${out.base}/moved`;
    expect(
      await client([out.base]).deliver(moved, TEXT, {}, signal),
    ).to.deep.equal({ ok: false, reason: 'redirected' });
    const hangs = client([out.base], undefined, 100);
    expect(
      await hangs.deliver(`${out.base}/hangs`, TEXT, {}, signal),
    ).to.deep.equal({ ok: false, reason: 'timeout' });
    expect(out.hits).to.deep.equal(['/moved', '/hangs']);
  });
});
