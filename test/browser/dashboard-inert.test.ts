import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { recordFaults } from '../faults/report.js';
import type { TestBoard } from '../support/board.js';
import { openBrowser } from '../support/browser.js';
import { FULL } from '../support/full.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import { dashboardBoard, deskOf, settled } from './dashboard-open.js';
import { reportedRows } from './dashboard-rows.js';
import { VECTORS } from './pages-vectors.js';

/** Texts that share one item's page; every vector is in one of them. */
const AT_ONCE = 20;
const short = (text: string, codePoints: number) =>
  [...text].slice(0, codePoints).join('');
/** What the database itself takes for no text. */
const storable = (text: string) => text.replaceAll('\0', '');

/** What no text of a member may turn into, beside what ran or was refused. */
const FOREIGN = `window.noticed.concat([...document.querySelectorAll(
  'body .inert *:not(span), main script, main img, main iframe, main object, main embed, main video, main audio, main form[action], main base, main link, main meta, main math, main [onerror], main [onload], main a[href^="javascript:" i], main a[href^="data:" i]',
)].map((element) => element.outerHTML))`;

describe('What members write, at the dashboard', function () {
  this.timeout(FULL ? 400_000 : 240_000);
  let browser: Browser;
  let test: TestBoard;
  let page: Page;
  let faults: string[];
  let ids: number[];

  before(async () => {
    browser = await openBrowser();
    test = await dashboardBoard();
    const texts = VECTORS.map(storable).map((vector, n) => ({
      title: short(`${n} ${vector}`, 180),
      name: short(vector, 48),
      body: VECTORS.slice(n, n + AT_ONCE)
        .map(storable)
        .join('\n\n'),
    }));
    ids = await reportedRows(test, texts, 'hidden_by_ratings');
    const { poll } = await publish(test, {
      title: 'A poll',
      poll: { question: 'Q?', options: ['A', 'B'] },
    });
    await test.board.context.writes.transaction((tx) =>
      tx.query(
        `INSERT INTO poll (id, root_id, type, question, options, kind, summary,
           duration_hours, secret, created_at, closes_at, counts)
         SELECT it.id, it.id, type, it.text, ARRAY[it.text, 'B'], kind, summary,
           duration_hours, secret, created_at, closes_at, counts
         FROM poll, unnest($2::bigint[], $3::text[]) AS it (id, text)
         WHERE poll.id = $1`,
        [
          (poll as { id: number }).id,
          ids,
          VECTORS.map(storable).map((vector) => short(vector, 80)),
        ],
      ),
    );
    // Without the page's policy: the texts alone must be harmless.
    const desk = await deskOf(browser, test, 'admin', { bypassCSP: true });
    ({ page, faults } = desk);
    await desk.context.addInitScript(`window.noticed = [];
      window.alert = () => window.noticed.push('it ran');`);
  });
  after(async () => {
    await browser?.close();
    await test?.stop();
  });

  async function inspect(where: string): Promise<void> {
    expect(await page.evaluate(FOREIGN), where).to.deep.equal([]);
    expect(faults, where).to.deep.equal([]);
  }
  async function open(path: string): Promise<void> {
    await page.goto(`${test.url}/admin${path}`);
    await settled(page);
  }

  it('would be noticed', async () => {
    await open('/queue');
    await page.locator('.queue-row').first().waitFor();
    await page.evaluate(
      `document.querySelector('body .inert').innerHTML = '<img src=x onerror=alert(1)>'`,
    );
    await until(
      'it to run',
      async () => Number(await page.evaluate('window.noticed.length')) > 0,
    );
    expect(await page.evaluate(FOREIGN)).to.have.length.above(1);
  });

  it('never runs in the queue', async () => {
    expect(VECTORS.length).to.be.at.least(250);
    await open('/queue');
    const seen = new Set<string>();
    const all = `[...document.querySelectorAll('.queue-row')].map((row) => row.getAttribute('aria-posinset'))`;
    await until('every row to have been shown', async () => {
      for (const n of (await page.evaluate(all)) as string[]) seen.add(n);
      await inspect('/queue');
      await page.evaluate(
        "document.querySelector('.virtual').scrollBy(0, 600)",
      );
      return seen.size >= VECTORS.length;
    });
    await recordFaults({ test: 'G6 dashboard', faults: VECTORS.length });
  });

  it('never runs beside a decision', async () => {
    const step = FULL ? 1 : AT_ONCE;
    for (const id of ids.filter((_, n) => n % step === 0)) {
      await open(`/item/message:${id}`);
      await page.getByRole('heading', { name: 'Reports' }).waitFor();
      await inspect(`item ${id}`);
    }
  });

  it('never runs among the polls', async () => {
    await open('/polls?state=all');
    const more = page.getByRole('button', { name: /more/i });
    await until('every poll to be shown', async () => {
      await inspect('/polls');
      if ((await more.count()) > 0) await more.click();
      return (await page.getByRole('article').count()) > VECTORS.length;
    });
    await inspect('/polls');
  });

  it('never runs among the hidden topics', async () => {
    await open('/hidden');
    const more = page.getByRole('button', { name: /more/i });
    await until('every topic to be shown', async () => {
      await inspect('/hidden');
      if ((await more.count()) > 0) await more.click();
      return (await page.getByRole('article').count()) >= VECTORS.length;
    });
    await inspect('/hidden');
  });
});
