import { expect } from 'chai';
import { recordFaults } from '../faults/report.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import {
  FOREIGN,
  type Inspector,
  inspector,
  STEP,
} from './dashboard-inspect.js';
import { givenDashboard } from './dashboard-open.js';
import { reportedRows, short, storable } from './dashboard-rows.js';
import { VECTORS } from './pages-vectors.js';

/** Texts that share one item's page; every vector is in one of them. */
const AT_ONCE = 20;

/** From the end back to the beginning: a busy page may not have drawn some. */
const ONWARD = `scrollY + innerHeight < document.documentElement.scrollHeight - 1
  ? scrollBy(0, 600) : scrollTo(0, 0)`;

describe('What members write, at the dashboard', () => {
  const { browser, test } = givenDashboard();
  let at: Inspector;
  let ids: number[];

  before(async () => {
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
    at = await inspector(browser, test);
  });

  it('would be noticed', async () => {
    const { page } = at;
    await at.open('/queue');
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
    const { page } = at;
    await at.open('/queue');
    const seen = new Set<string>();
    const all = `[...document.querySelectorAll('.queue-row')].map((row) => row.getAttribute('aria-posinset'))`;
    await until('every row to have been shown', async () => {
      for (const n of (await page.evaluate(all)) as string[]) seen.add(n);
      await at.inspect('/queue');
      await page.evaluate(ONWARD);
      return seen.size >= VECTORS.length;
    });
    await recordFaults({ test: 'G6 dashboard', faults: VECTORS.length });
  });

  it('never runs beside a decision', async () => {
    for (const id of ids.filter((_, n) => n % STEP === 0)) {
      await at.open(`/item/message:${id}`);
      await at.page.getByRole('heading', { name: 'Reports' }).waitFor();
      await at.inspect(`item ${id}`);
    }
  });

  it('never runs among the polls', async () => {
    await at.open('/polls?state=all');
    await at.whole('/polls', 'article', VECTORS.length + 1);
  });

  it('never runs among the hidden topics', async () => {
    await at.open('/hidden');
    await at.whole('/hidden', 'article', VECTORS.length);
  });
});
