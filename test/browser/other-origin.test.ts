import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { givenBrowser } from '../support/browser.js';
import { HANG_MS } from '../support/full.js';
import { given, givenBoard } from '../support/hooks.js';
import { withLimits } from '../support/limits.js';
import { publish } from '../support/post.js';
import { serving } from '../support/serving.js';
import { startTcpGate } from '../support/tcp-gate.js';

const { resolve } = createRequire(import.meta.url);
const moduleOf = (name: string) =>
  readFileSync(path.join(path.dirname(resolve(name)), 'index.js'));

const IMPORTS = `<!doctype html><title>Elsewhere</title>
<script type="importmap">{"imports":{"eventsource":"/eventsource","eventsource-parser":"/eventsource-parser"}}</script>`;

describe('a page of another site', () => {
  const test = givenBoard({ lifted: true });
  const browser = givenBrowser();
  const server = createServer(({ url = '/' }, res) => {
    const isPage = url === '/';
    res.setHeader('Content-Type', isPage ? 'text/html' : 'text/javascript');
    res.end(isPage ? IMPORTS : moduleOf(url.slice(1)));
  });
  const site = given(() => serving(server));
  const gate = given(() => startTcpGate(test.url));
  let page: Page;

  before(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(HANG_MS);
    await page.goto(site.url);
  });

  it('resumes the stream with the eventsource package after a cut', async () => {
    const first = await publish(test, { title: 'First', body: 'One.' });
    const since = first.message.id - 1;
    await page.evaluate(
      async ([address]) => {
        const { EventSource: Source } = await import(String('eventsource'));
        const seen: string[] = [];
        Object.assign(window, { seen });
        const source = new Source(address);
        for (const name of ['message', 'updates', 'update']) {
          source.addEventListener(name, (event: { lastEventId: string }) =>
            seen.push(event.lastEventId),
          );
        }
      },
      [`${gate.url}/api/updates?since=${since}`],
    );
    const seen = (n: number) =>
      page.waitForFunction(
        (least) =>
          (window as unknown as { seen: string[] }).seen.length >= least,
        n,
      );
    await seen(1);
    gate.cut();
    const next = await publish(test, { title: 'Next', body: 'Two.' });
    await seen(2);
    const ids = await page.evaluate('window.seen');
    expect(ids).to.deep.equal([
      String(first.message.id),
      String(next.message.id),
    ]);
  });

  it('reads the tag of an answer and gets 304 by it', async () => {
    const [tag, limit, status] = await page.evaluate(async (address) => {
      const answer = await fetch(address, { cache: 'no-store' });
      const known = answer.headers.get('etag') ?? '';
      const again = await fetch(address, {
        cache: 'no-store',
        headers: { 'If-None-Match': known },
      });
      return [known, again.headers.get('ratelimit'), again.status];
    }, `${test.url}/api/threads`);
    expect(tag).to.match(/^"/);
    expect(limit).to.include('reads_per_network');
    expect(status).to.equal(304);
  });

  it('reads what else an answer says of itself, a refusal too', async () => {
    const read = (
      path: string,
      headers: Record<string, string> = {},
    ): Promise<Record<string, string>> =>
      page.evaluate(
        async ([address, sent]) => {
          const { status, headers: got } = await fetch(address, {
            ...{ cache: 'no-store', headers: sent },
          });
          return { ...Object.fromEntries(got), status: String(status) };
        },
        [`${test.url}${path}`, headers] as const,
      );
    for (const path of ['/feed.atom', '/t/1/feed.json', '/llms.txt']) {
      const { etag = '' } = await read(path);
      expect(etag, path).to.match(/^(?:W\/)?"/);
      const known = await read(path, { 'If-None-Match': etag });
      expect(known, path).to.include({ status: '304', etag });
    }
    // Headers that scripts set by themselves, or to come past a cache.
    const named = { 'Cache-Control': 'no-cache', 'X-Agent-Name': 'a page' };
    const stream = { 'Last-Event-ID': '1', 'X-Board-Source': 'elsewhere' };
    const list = await read('/api/updates', { ...named, ...stream });
    expect(list).to.include({ status: '200' }).and.include.keys('ratelimit');
    expect(list).to.include.keys('ratelimit-policy');
    const missing = await read('/api/messages/999', named);
    expect(missing).to.include({ status: '404' }).and.include.keys('ratelimit');
    await withLimits(test, { reads_per_network_minute: 0 }, async () => {
      const refused = await read('/api/threads');
      expect(refused.status).to.equal('429');
      expect(Number(refused['retry-after'])).to.be.above(0);
    });
  });
});
