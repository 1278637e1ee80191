import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Page } from 'playwright-core';
import { keyTexts } from '../../server/search/index.js';
import { STAYS } from '../admin/operators.js';
import { recordFaults } from '../faults/report.js';
import { FULL, within } from '../support/full.js';
import { freshNetwork } from '../support/random.js';
import { until } from '../support/until.js';
import { type Inspector, inspector } from './dashboard-inspect.js';
import { deskOf, givenDashboard, openAt } from './dashboard-open.js';
import { reportedRows, short, storable } from './dashboard-rows.js';
import { VECTORS } from './pages-vectors.js';

/** As many as one bulk takes. */
const ROWS = 10_000;
/** Decided by another operator, with a hostile explanation, in between. */
const TAKEN = ROWS / 20;
/** In characters; a text may have 24 KiB. */
const LONG = 6000;
/** A tenth of a second of decisions, on a machine that does nothing else. */
const STALL_MS = within(1000);
/** From a key to what it opens. */
const KEY_MS = within(2000);
const HEAP_BYTES = 600 * 2 ** 20;
const ALL_MS = 20 * 60_000;
const TEXTS = VECTORS.map(storable);
const GAPS = `window.gap = 0; (() => { let last = performance.now();
  const look = () => { const now = performance.now();
    window.gap = Math.max(window.gap, now - last); last = now;
    requestAnimationFrame(look); }; look(); })()`;

if (FULL) {
  describe(`A bulk of ${ROWS} hostile texts`, () => {
    const { browser, test } = givenDashboard();
    let at: Inspector;
    let ids: number[];

    before(async () => {
      const text = (n: number) => TEXTS[n % TEXTS.length] ?? '';
      // Every fiftieth is long, of one vector all over.
      const body = (n: number) =>
        `https://spam.example/${n}\n\n${
          n % 50 === 0
            ? short(text(n / 50).repeat(LONG), LONG)
            : `${text(n)}\n\n${text(n + 7)}`
        }`;
      const rows = Array.from({ length: ROWS }, (_, n) => ({
        title: short(`${n} ${text(n)}`, 180),
        name: short(text(n + 1), 48),
        body: body(n),
      }));
      ids = await reportedRows(test, rows);
      await keyTexts(test.board.context.writes, () => true);
      await test.board.context.writes.query('ANALYZE');
      at = await inspector(browser, test);
    });

    async function decided(): Promise<number> {
      const [row] = await test.board.context.reads.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM message
       WHERE id = ANY($1) AND removed_at IS NOT NULL`,
        [ids],
      );
      return row?.n ?? -1;
    }

    async function takeSome(): Promise<void> {
      const { caller, context } = await deskOf(browser, test, 'moderator');
      await context.close();
      for (const [n, id] of ids.slice(0, TAKEN).entries()) {
        const explanation = TEXTS[n % 60] ?? '';
        const asked = { action: 'keep', id, seen: null, ...STAYS, explanation };
        const answer = await caller.post('/do/decision.record', asked);
        expect(answer.status, answer.text).to.equal(200);
      }
    }

    async function keyMs(page: Page): Promise<number> {
      const began = performance.now();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      const ms = performance.now() - began;
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return ms;
    }

    it('is selected, decided and listed, and nothing of it runs', async () => {
      const { page } = at;
      const desk = { page };
      await openAt(desk, test, '/queue');
      await page.locator('.queue-row a').first().focus();
      await page.keyboard.press('j');
      const all = page.getByRole('group', { name: 'All with the same' });
      await all.getByRole('button', { name: 'link', exact: true }).click();
      const count = ROWS.toLocaleString('en-GB');
      await page.getByText(`${count} selected`).waitFor();
      await at.inspect('the queue with all of it selected');
      await takeSome();
      await page.getByRole('button', { name: 'Decide for all' }).click();
      await page.getByLabel('What to do').selectOption('remove');
      const why = TEXTS[0] ?? '';
      await page.getByLabel('Public explanation').fill(why);
      await page.evaluate(GAPS);
      const lag = monitorEventLoopDelay({ resolution: 10 });
      lag.enable();
      const began = performance.now();
      await page
        .getByRole('button', { name: `Record ${count} decisions` })
        .click();
      await page.getByRole('progressbar').waitFor();
      const keys: number[] = [];
      let heap = 0;
      await until(
        'all of it to be decided',
        async () => {
          await test.as(freshNetwork()).get('/api/rooms').expect(200);
          keys.push(await keyMs(page));
          heap = Math.max(heap, process.memoryUsage().heapUsed);
          await at.inspect('the bulk at work');
          return await page.getByText(/\. Done\.$/).isVisible();
        },
        ALL_MS,
      );
      lag.disable();
      const seconds = (performance.now() - began) / 1000;
      const stall = lag.max / 1e6;
      const gap = Number(await page.evaluate('window.gap'));
      const slowest = Math.max(...keys);
      expect(await decided()).to.equal(ROWS - TAKEN);
      const refused = page.getByRole('region', { name: 'Refused' });
      await refused.getByRole('table').waitFor();
      await at.inspect('what was refused');
      await at.open('/queue');
      await page
        .getByText(`${TAKEN.toLocaleString('en-GB')} selected`)
        .waitFor();
      await at.inspect('the queue afterwards');
      console.log(
        `${ROWS} hostile rows: ${seconds.toFixed(1)} s, longest stall of the board ${stall.toFixed(0)} ms (p99 ${(lag.percentile(99) / 1e6).toFixed(0)}), of the page ${gap.toFixed(0)} ms, slowest of ${keys.length} keys ${slowest.toFixed(0)} ms, heap ${(heap / 2 ** 20).toFixed(0)} MiB`,
      );
      expect(stall, 'the board stood still').to.be.below(STALL_MS);
      expect(slowest, 'a key was answered').to.be.below(KEY_MS);
      expect(heap, 'of memory').to.be.below(HEAP_BYTES);
      await recordFaults({ test: 'G10 rows', faults: ROWS });
    });
  });
}
