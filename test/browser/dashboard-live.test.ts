import { expect } from 'chai';
import { FULL, within } from '../support/full.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import { deskOf, givenDashboard, openAt } from './dashboard-open.js';
import { reportedRows } from './dashboard-rows.js';

const ROWS = FULL ? 10_000 : 300;
// How fast it is on an idle machine is held in the full run only.
const HINT_MS = within(500);
const CUT_MS = within(1000);

describe('The dashboard, live', () => {
  const { browser, test } = givenDashboard();

  before(async () => {
    const texts = Array.from({ length: ROWS }, (_, n) => ({
      title: `Topic ${n}`,
      name: 'a',
      body: `Text ${n}`,
    }));
    await reportedRows(test, texts);
  });

  it('scrolls a long queue to its end without dropping a batch', async () => {
    const { page, context, faults } = await deskOf(browser, test, 'viewer');
    await openAt({ page }, test, '/queue');
    const row = (n: number) =>
      page.getByRole('link', { name: new RegExp(`Topic ${n}$`) });
    await row(0).waitFor();
    await until('the whole queue to be read', async () => {
      await page.evaluate('scrollTo(0, 1e9)');
      return (await page.locator(`[aria-setsize="${ROWS}"]`).count()) > 0;
    });
    await until('the last row to show', async () => {
      await page.evaluate('scrollTo(0, 1e9)');
      return (await row(ROWS - 1).count()) === 1;
    });
    const last = page.locator('.queue-row').filter({ has: row(ROWS - 1) });
    expect(await last.getAttribute('aria-posinset')).to.equal(String(ROWS));
    // Few rows exist at a time, however long the queue is.
    expect(await page.locator('.queue-row').count()).to.be.below(60);
    const middle = ROWS / 2;
    await until('a row of the middle to show', async () => {
      await page.evaluate(
        'scrollTo(0, document.documentElement.scrollHeight / 2)',
      );
      return (await row(middle).count()) === 1;
    });
    const half = page.locator('.queue-row').filter({ has: row(middle) });
    expect(await half.getAttribute('aria-posinset')).to.equal(
      String(middle + 1),
    );
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('hints at a published message', async () => {
    const { page, context } = await deskOf(browser, test, 'viewer');
    await openAt({ page }, test, '');
    const { message } = await publish(test, { title: 'New here' });
    const published = performance.now();
    // By its number until its title is read.
    const name = new RegExp(`^(Topic ${message.id}|New here)$`);
    await page.getByRole('link', { name }).waitFor();
    expect(performance.now() - published).to.be.below(HINT_MS);
    await context.close();
  });

  it('leaves the page when its session is revoked', async () => {
    const desk = await deskOf(browser, test, 'viewer', { name: 'plover' });
    let closed = false;
    desk.page.on('websocket', (socket) => {
      socket.on('close', () => {
        closed = true;
      });
    });
    await openAt(desk, test, '/queue');
    const admin = await deskOf(browser, test, 'admin');
    const { operatorId, sessionId } = desk;
    const path = `/operators/${operatorId}/sessions/${sessionId}/revoke`;
    const ended = performance.now();
    expect((await admin.caller.post(path)).status).to.equal(200);
    await until('the connection to be closed', () => closed);
    expect(performance.now() - ended).to.be.below(CUT_MS);
    await desk.page.getByRole('heading', { name: /^Sign in to/ }).waitFor();
    await desk.context.close();
    await admin.context.close();
  });
});
