import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { TestBoard } from '../support/board.js';
import { openBrowser } from '../support/browser.js';
import { until } from '../support/until.js';
import { namedRows } from './dashboard-foreign-rows.js';
import { type Inspector, inspector, storable } from './dashboard-inspect.js';
import { dashboardBoard, deskOf } from './dashboard-open.js';
import { reportedRows } from './dashboard-rows.js';
import { VECTORS } from './pages-vectors.js';

const TEXTS = VECTORS.map(storable);
const WIDE = 1280;

describe('Names of devices, jobs, drafts and accounts, at the dashboard', () => {
  let browser: Browser;
  let test: TestBoard;
  let at: Inspector;

  before(async () => {
    browser = await openBrowser();
    test = await dashboardBoard({ ROLES: 'api' });
    at = await inspector(browser, test);
    await namedRows(test, TEXTS);
  });
  after(async () => {
    await browser?.close();
    await test?.stop();
  });

  for (const [path, part] of [
    ['/account', 'tbody tr'],
    ['/system', '.inert'],
    ['/operators', '.inert'],
  ] as const) {
    it(`never run at ${path}, and leave its width as it is`, async () => {
      await at.open(path);
      await at.whole(path, part, TEXTS.length);
      const width = await at.page.evaluate(
        'document.documentElement.scrollWidth',
      );
      expect(width).to.be.at.most(WIDE);
    });
  }

  it('never run in the drafts of usefulness reports', async () => {
    await at.open('/usefulness');
    await at.whole('/usefulness', 'article', 20);
  });

  it('never run in what a search finds, or in what was searched for', async () => {
    const texts = TEXTS.slice(0, 40).map((text) => ({
      title: `sought ${text}`.slice(0, 180),
      name: text.slice(0, 48),
      body: `sought ${text}`,
    }));
    await reportedRows(test, texts);
    for (const text of ['sought', TEXTS[0] ?? '', TEXTS[30] ?? '']) {
      await at.open(`/find?q=${encodeURIComponent(text)}`);
      await at.inspect(`/find for ${text}`);
    }
  });

  it('cannot be put into the page of another site', async () => {
    const desk = await deskOf(browser, test, 'admin');
    const { page } = desk;
    const refused: string[] = [];
    page.on('console', (line) => {
      if (/frame-ancestors|X-Frame-Options/i.test(line.text())) {
        refused.push(line.text());
      }
    });
    await page.goto(`${test.url}/connect`);
    await page.goto('about:blank');
    await page.setContent(`<iframe src="${test.url}/admin/queue"></iframe>`);
    await until('the browser to refuse it', () => refused.length > 0);
    await desk.context.close();
  });
});
