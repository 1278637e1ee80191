import type { Page } from 'playwright-core';
import { report, send } from '../server/moderation/reports/reporting.js';
import { network } from '../server/votes/rating.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import { covered, isInSight } from './dashboard-inspect.js';
import { deskOf, givenDashboard, openAt, settled } from './dashboard-open.js';

const WHY = 'We looked at it together.';
/** Nothing was there to see, so a chart is a card; this makes it a chart. */
const BUSY = `INSERT INTO figure_sample (at, series, name, value)
  SELECT $1::bigint - n * 60000, 'open_reports', '', 1 + n % 3
  FROM generate_series(1, 60) n ON CONFLICT DO NOTHING`;

const hintsOf = (page: Page) =>
  page.getByRole('button', { name: /new, show|Show$/ });

describe('Parts of the dashboard', () => {
  const { browser, test } = givenDashboard();

  before(async () => {
    for (const n of [1, 2, 3, 4]) {
      const name = `writer ${n}`;
      await publish(test, { title: `Topic ${n}`, name, body: `Text ${n}.` });
      test.clock.advance(1000);
      if (n === 4) break;
      // Two reports of one subject are one row, and one in the badge.
      for (const m of [0, 1]) {
        const body = report({ message_id: n });
        await send(test, body, network(900 + 2 * n + m)).expect(201);
      }
      test.clock.advance(1000);
    }
    await publish(test, { reply_to: 4, body: 'A retry storm of the night.' });
    await test.board.context.writes.query(BUSY, [
      test.clock.now() - (test.clock.now() % 60_000),
    ]);
  });

  it('are all there where the language of the browser is none of the web', async () => {
    const desk = await deskOf(browser, test, 'viewer');
    const { page, context, faults } = desk;
    await context.addInitScript(`Object.defineProperty(Navigator.prototype,
      'language', { get: () => 'en-US@posix', configurable: true });`);
    await openAt(desk, test, '');
    await page.getByRole('img', { name: 'Open items' }).waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
    await page.goto(`${test.url}/admin/mesh`);
    await settled(page);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('stay when one of them cannot be shown', async () => {
    const desk = await deskOf(browser, test, 'viewer');
    const { page, context } = desk;
    await page.route('**/ChartLines-*.js', (route) => route.abort());
    await openAt(desk, test, '');
    const broken = page.getByRole('alert');
    await broken
      .getByText('This part of the page could not be shown.')
      .waitFor();
    await broken.getByRole('button', { name: 'Reload' }).waitFor();
    await page.getByRole('heading', { name: 'What to do first' }).waitFor();
    await page.getByText('Open items as a table').waitFor();
    await context.close();
  });

  it('say what to do first, and the newest posts by their titles', async () => {
    const desk = await deskOf(browser, test, 'viewer');
    const { page, context } = desk;
    await openAt(desk, test, '');
    const first = page.getByRole('region', { name: 'What to do first' });
    expect(await first.locator('li a').allTextContents()).to.deep.equal([
      '3 items wait in the queue',
      'No verified backup is younger than a day: make one',
      'Readers cannot reach you: set BOARD_CONTACT in .env and start again',
    ]);
    const posts = page.getByRole('region', { name: 'Latest posts' });
    await posts.getByRole('link', { name: 'Re: Topic 4' }).waitFor();
    await posts.getByText('A retry storm of the night.').waitFor();
    await posts.getByRole('link', { name: 'Topic 3', exact: true }).waitFor();
    await context.close();
  });

  it('count the same in the menu and in the list', async () => {
    const desk = await deskOf(browser, test, 'viewer', { width: 1440 });
    const { page, context } = desk;
    await openAt(desk, test, '/queue');
    await page.getByText('3 items, oldest first').waitFor();
    expect(await page.locator('.queue-row').count()).to.equal(3);
    await page.getByRole('link', { name: 'Queue 3 waiting' }).waitFor();
    await openAt(desk, test, '/queue?kind=card');
    await page.getByText('Filtered. Without filters 3 items wait.').waitFor();
    await context.close();
  });

  it('lead from item to item, and back to the queue', async () => {
    const desk = await deskOf(browser, test, 'moderator');
    const { page, context } = desk;
    await openAt(desk, test, '/queue?kind=topic');
    const queue = page.getByRole('link', { name: /^Queue/ }).first();
    expect(await queue.getAttribute('aria-current')).to.equal('page');
    await page.getByRole('link', { name: /Topic 2$/ }).click();
    await page.getByText('2 of 3', { exact: true }).waitFor();
    expect(await queue.getAttribute('aria-current')).to.equal('true');
    await page.getByRole('link', { name: 'Next', exact: true }).click();
    await page.getByRole('heading', { name: 'Message 3' }).waitFor();
    await page.getByText('3 of 3', { exact: true }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Message 2' }).waitFor();
    await page.getByRole('link', { name: 'Back to the queue' }).click();
    await page.waitForURL(/kind=topic/);
    await context.close();
  });

  it('find texts, authors and settings', async () => {
    const desk = await deskOf(browser, test, 'moderator');
    const { page, context } = desk;
    await openAt(desk, test, '');
    const find = async (text: string, label: RegExp) => {
      await page.keyboard.press('Control+K');
      const field = page.getByRole('textbox', { name: 'Find' });
      await field.fill(text);
      const found = page.getByRole('button', { name: label }).first();
      await found.waitFor();
      expect(await page.getByText(/^No matches/).count(), text).to.equal(0);
      await found.click();
      await field.waitFor({ state: 'detached' });
    };
    await find('retry storm', /^Topic 4 \(5\)/);
    await page.getByRole('heading', { name: 'Message 5' }).waitFor();
    await find('WRITER 3', /^Messages by writer 3/);
    await page.getByRole('heading', { name: 'Messages by writer 3' }).waitFor();
    await page.getByRole('link', { name: 'Topic 3' }).waitFor();
    await find('smtp', /^E-mail/);
    await find('dark', /^Colours: light or dark/);
    await find('limits', /^Limits in force/);
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    await openAt(desk, test, '/find?q=nothing%20like%20it');
    await page.getByText('Nothing on this board matches.').waitFor();
    await page
      .getByLabel(
        'A text, an address, or the ID of a message, agent or request',
      )
      .fill('retry storm');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Topic 4' }).waitFor();
    await context.close();
  });

  it('show a refusal at its field, in words', async () => {
    const desk = await deskOf(browser, test, 'admin');
    const { page, context } = desk;
    await openAt(desk, test, '/operators');
    const name = page.getByLabel('Name to sign in with');
    await name.fill('not a name!');
    await page.getByRole('button', { name: 'Make a link' }).click();
    await until(
      'the field to be invalid',
      async () => (await name.getAttribute('aria-invalid')) === 'true',
    );
    await page.getByText(/lower-case letters, digits, dots/).waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
    await name.fill('wren');
    expect(await name.getAttribute('aria-invalid')).not.to.equal('true');
    await context.close();
  });

  it('show the history of an item page by page', async () => {
    const name = 'often';
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]) {
      await publish(test, { reply_to: 4, name, body: `Reply ${n} of many.` });
    }
    const { message } = await publish(test, {
      reply_to: 4,
      name,
      body: 'Now.',
    });
    const desk = await deskOf(browser, test, 'viewer');
    const { page, context, faults } = desk;
    await openAt(desk, test, `/item/message:${message.id}`);
    expect(await page.getByText(/^Record$/).count()).to.equal(0);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('The same name: often (13)').click();
    const rows = history.locator('details[open] li');
    await rows.first().waitFor();
    expect(await rows.count()).to.equal(10);
    await history.getByRole('button', { name: 'Show more' }).click();
    await history.getByText('Reply 1 of many.').waitFor();
    expect(await rows.locator('.one-line').allTextContents()).to.deep.equal(
      Array.from({ length: 13 }, (_, n) => `Reply ${13 - n} of many.`),
    );
    expect(await history.getByRole('button').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('keep a private note, which reaches the other operator at once', async () => {
    const desks = await Promise.all(
      ['wren', 'heron'].map((name) =>
        deskOf(browser, test, 'moderator', { name }),
      ),
    );
    const [wren, heron] = desks;
    if (wren === undefined || heron === undefined) throw new Error('no desk');
    for (const desk of desks) await openAt(desk, test, '/item/message:3');
    const notes = ({ page }: typeof wren, n: number) =>
      page.getByRole('region', { name: `Private notes (${n})`, exact: true });
    await wren.page.getByLabel('New note').fill('Its author wrote to us.');
    await wren.page.getByRole('button', { name: 'Add the note' }).click();
    await notes(wren, 1).getByText('Its author wrote to us.').waitFor();
    // Own work is no news; the other one is told, and nothing moves.
    expect(await hintsOf(wren.page).count()).to.equal(0);
    await hintsOf(heron.page).click();
    await notes(heron, 1).getByText('Its author wrote to us.').waitFor();
    await heron.page.getByLabel('New note').fill('Answered.');
    await heron.page.getByRole('button', { name: 'Add the note' }).click();
    await hintsOf(wren.page).click();
    await notes(wren, 2).getByText('Answered.').waitFor();
    // Each takes back what it wrote itself.
    const remove = wren.page.getByRole('button', { name: /^Remove the note/ });
    await remove.click();
    await wren.page.getByRole('dialog').getByText('Remove').last().click();
    await notes(wren, 1).getByText('Answered.').waitFor();
    expect(await remove.count()).to.equal(0);
    for (const { context, faults } of desks) {
      expect(faults).to.deep.equal([]);
      await context.close();
    }
  });

  it('show preview, conflict and result in sight, and cover no control', async () => {
    for (const width of [1440, 360]) {
      const id = width === 360 ? 1 : 2;
      const desk = await deskOf(browser, test, 'moderator', { width });
      const other = await deskOf(browser, test, 'moderator');
      const { page } = desk;
      await openAt(desk, test, `/item/message:${id}`);
      await page.getByLabel('Public explanation').fill(WHY);
      await page.getByRole('button', { name: 'Preview' }).click();
      const preview = page.getByRole('region', { name: /^Exact public/ });
      await preview.waitFor();
      await isInSight(preview);
      const input = { action: 'keep', id, explanation: 'Seen.', seen: null };
      const { body } = await other.caller.post('/do/decision.record', {
        ...input,
        reason: await page.getByLabel('Reason').inputValue(),
      });
      const record = page.getByRole('button', { name: 'Record', exact: true });
      await record.click();
      const conflict = page.getByRole('alert');
      await conflict.getByText('Somebody else decided first').waitFor();
      await conflict.getByText('Seen.').waitFor();
      await isInSight(conflict.getByRole('heading'));
      await page.getByText('Not recorded.', { exact: true }).waitFor();
      await conflict.getByRole('button').click();
      await page.getByText(`number ${body.decision.id}`).waitFor();
      expect(await page.getByLabel('Public explanation').inputValue()).to.equal(
        WHY,
      );
      // It is kept already; only another action is a decision now.
      await record.click();
      await conflict.getByText('This decision does not fit').waitFor();
      await conflict.getByText(/^This message is kept already/).waitFor();
      await conflict.getByRole('button').click();
      await page.getByLabel('What to do').selectOption('hide');
      await record.click();
      const done = page.locator('.last-done');
      await done.getByText(`Message ${id} hidden (decision`).waitFor();
      await isInSight(done);
      expect(await covered(page), `${width} px`).to.deep.equal([]);
      await done.getByRole('button', { name: 'View' }).waitFor();
      await done.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(/reverses decision \d+/).waitFor();
      await done.getByRole('button', { name: 'Close this note' }).click();
      expect(await done.textContent()).to.equal('');
      expect(desk.faults).to.deep.equal([]);
      await desk.context.close();
      await other.context.close();
    }
  });
});
