import type { Browser, Page } from 'playwright-core';
import { recordFaults } from '../faults/report.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { openBrowser, READER } from '../support/browser.js';
import { decideTo } from '../support/decide.js';
import { FULL, HANG_MS } from '../support/full.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import { short } from './dashboard-rows.js';
import { VECTORS } from './pages-vectors.js';

const PLENTY = 1_000_000;

/** What a page is made of; everything else came out of a text. */
const ELEMENTS =
  'html head meta title link body a header nav ul li main h1 h2 h3 h4 h5 h6 p article span bdi div time footer section ol svg rect em strong s blockquote hr pre code br search form label input select option textarea button mark aside details summary table thead tbody tr th td dl dt dd';
const ATTRIBUTES =
  'lang charset name content rel href class id aria-label aria-labelledby aria-current aria-hidden focusable aria-describedby role property open tabindex dir datetime title type width height rx start for value required autocomplete method rows maxlength action inputmode pattern selected scope';

/** Elements, attributes and addresses of the page that nobody meant. */
const FOREIGN = `(() => {
  const elements = new Set('${ELEMENTS}'.split(' '));
  const attributes = new Set('${ATTRIBUTES}'.split(' '));
  const found = window.noticed.slice();
  for (const element of document.querySelectorAll('*')) {
    if (!elements.has(element.localName)) found.push(element.localName);
    for (const { name, value } of element.attributes) {
      if (!attributes.has(name)) found.push(element.localName + ' ' + name);
      if (name === 'href' && !/^(https?:\\/\\/|\\/(?!\\/)|#)/.test(value)) found.push(value);
    }
  }
  return found;
})()`;

/** Of every so many topics; each has the bodies of those that follow. */
const STEP = FULL ? 1 : 5;
const some = <T>(all: readonly T[]) => all.filter((_, n) => n % STEP === 0);

describe('What members write', () => {
  let browser: Browser;
  let test: TestBoard;
  const roots: number[] = [];

  before(async () => {
    browser = await openBrowser();
    test = await startBoard({
      lifted: true,
      limits: {
        open_polls_max: PLENTY,
        reads_per_network_minute: PLENTY,
        searches_per_network_minute: PLENTY,
      },
      env: { FUNNEL_PHRASES: '[]' },
    });
    for (const [n, vector] of VECTORS.entries()) {
      const receipt = await publish(test, {
        title: short(`${n} ${vector}`, 180),
        name: short(vector, 48),
        body: [...VECTORS.slice(n, n + STEP), 'tail'].join('\n\n'),
        poll: {
          question: short(vector, 180),
          options: [short(vector, 80), `${n}`],
        },
      });
      roots.push(receipt.message.id);
    }
  });
  after(async () => {
    await browser?.close();
    await test?.stop();
  });

  async function watchful(bypassCSP: boolean): Promise<Page> {
    const context = await browser.newContext({
      bypassCSP,
      extraHTTPHeaders: READER,
    });
    context.setDefaultTimeout(HANG_MS);
    await context.addInitScript(`window.noticed = [];
      window.alert = () => window.noticed.push('it ran');
      addEventListener('securitypolicyviolation', (event) =>
        window.noticed.push('refused ' + event.violatedDirective));`);
    await context.route('**/*', (route) => {
      const inside = route.request().url().startsWith(test.url);
      if (inside) return route.continue();
      foreign.push(route.request().url());
      return route.abort();
    });
    return await context.newPage();
  }
  const foreign: string[] = [];

  async function inspect(page: Page, path: string): Promise<void> {
    await page.goto(`${test.url}${path}`, { waitUntil: 'load' });
    expect(await page.evaluate(FOREIGN), path).to.deep.equal([]);
    expect(foreign, path).to.deep.equal([]);
  }

  it('would be noticed', async () => {
    for (const bypassCSP of [false, true]) {
      const page = await watchful(bypassCSP);
      await page.goto(`${test.url}/connect`);
      await page.evaluate(
        `document.querySelector('main').innerHTML = '<img src=x onerror=alert(1)>'`,
      );
      // Asked from here: waiting inside the page would need its eval.
      await until(
        'something to be noticed',
        async () => Number(await page.evaluate('window.noticed.length')) > 0,
      );
      const noticed = (await page.evaluate(FOREIGN)) as string[];
      expect(noticed).to.include(bypassCSP ? 'it ran' : 'img onerror');
      await page.context().close();
    }
  });

  for (const bypassCSP of [false, true]) {
    const how = bypassCSP ? 'even without a policy' : 'under the policy';
    it(`never runs in a thread, ${how}`, async () => {
      const page = await watchful(bypassCSP);
      // What runs in spite of the policy runs without it too.
      const opened = bypassCSP || FULL ? some(roots) : roots.slice(0, 10);
      for (const root of opened) await inspect(page, `/t/${root}`);
      await page.context().close();
      await recordFaults({ test: 'G6 pages', faults: VECTORS.length });
    });
  }

  it('never runs in lists, searches and the moderation log', async () => {
    const page = await watchful(true);
    let path: string | null = '/?sort=new';
    let lists = 0;
    while (path !== null) {
      await inspect(page, path);
      lists += 1;
      const next = page.locator('.pager a[rel=next]');
      path = (await next.count()) > 0 ? await next.getAttribute('href') : null;
    }
    expect(lists).to.be.above(8);
    for (const vector of some(VECTORS)) {
      const q = short(vector, 100);
      await inspect(page, `/search?q=${encodeURIComponent(q)}`);
    }
    for (const [n, vector] of VECTORS.slice(0, 30).entries()) {
      const root = roots[n] ?? 0;
      await decideTo.remove(test, root, {
        explanation: vector,
        operator: short(vector, 48),
      });
      await inspect(page, `/t/${root}`);
    }
    await inspect(page, '/moderation');
    await page.context().close();
  });
});
