import { expect } from 'chai';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import { FOREIGN } from './dashboard-inspect.js';
import {
  type Desk,
  deskOf,
  givenDashboard,
  overflow,
  settled,
} from './dashboard-open.js';
import {
  accountRows,
  decidedRows,
  deviceRows,
  draftRows,
  evidenceRows,
  jobRows,
  operatorRows,
  peerRows,
  reportedRows,
  short,
} from './dashboard-rows.js';

const MARKUP = '<img src=x onerror=alert(1)>';
/** Turned around, joined, filled up, tagged: each shows as something else. */
const TEXTS = [
  `a\u202egnp.exe\u202c ${MARKUP}`,
  `b\u2066x\u2067y\u2069 [x](javascript:alert(1))`,
  `c\u200bd\u200de\ufefff\u00adg " onmouseover="alert(1)`,
  `h${String.fromCodePoint(0xe0041, 0xe0042)}\u3164\u2800i`,
  `javascript:alert(1)//\u200f\u061c`,
  `${'W'.repeat(300)}`,
  `${'\u0301'.repeat(300)}j`,
];

/** What is in the page as a letter that nobody sees, and not by its name. */
const UNSEEN = `(() => {
  const unseen = /[\\u00ad\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069\\u2800\\u3164\\ufeff\\u{e0000}-\\u{e007f}]/u;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (parentElement.closest('script, style')) continue;
    if (unseen.test(data)) found.push(parentElement.outerHTML.slice(0, 200));
  }
  return found;
})()`;

describe('Letters that nobody sees, at the dashboard', () => {
  const { browser, test } = givenDashboard({ ROLES: 'api' });
  let desk: Desk;

  before(async () => {
    const { message } = await publish(test, { title: 'A topic' });
    const rows = TEXTS.map((text) => ({
      title: short(text, 180),
      name: short(text, 48),
      body: text,
    }));
    await reportedRows(test, rows, 'hidden_by_ratings');
    await decidedRows(test, message.id, TEXTS);
    await peerRows(test, TEXTS, [TEXTS.join('\n')]);
    await evidenceRows(test, TEXTS);
    desk = await deskOf(browser, test, 'admin', { bypassCSP: true });
    await deviceRows(test, desk.operatorId, TEXTS);
    await accountRows(test, TEXTS);
    await operatorRows(test, desk.operatorId, message.id, TEXTS, 'x');
    await draftRows(test, TEXTS, test.clock.now());
    await jobRows(test, TEXTS, false);
    await desk.context.addInitScript(`window.noticed = [];
      window.alert = () => window.noticed.push('it ran');`);
  });

  async function inspect(where: string): Promise<void> {
    const { page, faults } = desk;
    expect(await page.evaluate(FOREIGN), where).to.deep.equal([]);
    expect(await page.evaluate(UNSEEN), where).to.deep.equal([]);
    expect(faults, where).to.deep.equal([]);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await until(
        `nothing of ${where} at ${width} px to scroll sideways`,
        async () => (await overflow(page)) === 0,
      );
    }
  }

  const PAGES = [
    ...['', '/queue', '/hidden', '/decisions', '/polls?state=all', '/mesh'],
    ...['/usefulness', '/system', '/operators', '/account'],
    ...['/item/message:1', '/item/message:1000', '/item/message:1005'],
    `/find?q=${encodeURIComponent(TEXTS[0] ?? '')}`,
    `/decisions?operator=${encodeURIComponent(TEXTS[0] ?? '')}`,
    `/item/message:${encodeURIComponent(TEXTS[0] ?? '')}`,
  ];
  for (const path of PAGES) {
    it(`are named at /admin${path.replace(/%.*/, '…')}`, async () => {
      const { page } = desk;
      await page.goto(`${test.url}/admin${path}`);
      await settled(page);
      await inspect(path);
    });
  }

  const DIALOGS: [path: string, button: RegExp][] = [
    ['/queue', /^Saved views/],
    ['/item/message:1', /^Manage templates/],
    ['/account', /^Remove the passkey/],
    ['/operators', /^Disable constructor$/],
  ];
  for (const [path, button] of DIALOGS) {
    it(`are named at ${path} in the dialog of ${button.source.replace(/[$^]/g, '')}`, async () => {
      const { page } = desk;
      await page.goto(`${test.url}/admin${path}`);
      await settled(page);
      await page.getByRole('button', { name: button }).first().click();
      await page.getByRole('dialog').waitFor();
      await inspect(path);
    });
  }

  it('are named where a board is blocked', async () => {
    const { page } = desk;
    await page.goto(`${test.url}/admin/mesh`);
    await settled(page);
    await page.locator('tbody button', { hasText: /^0 / }).click();
    await page.getByRole('button', { name: /^Block / }).click();
    await page.getByRole('dialog').waitFor();
    await inspect('the block of a board');
  });
});
