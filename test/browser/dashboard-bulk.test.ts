import type { Page } from 'playwright-core';
import { report, send } from '../server/moderation/reports/reporting.js';
import { network } from '../server/votes/rating.js';
import { publishSigned, register } from '../support/agent.js';
import { within } from '../support/full.js';
import { publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import { until } from '../support/until.js';
import { focused, unanswered } from './dashboard-inspect.js';
import {
  axeFaults,
  type Desk,
  deskOf,
  givenDashboard,
  inColours,
  openAt,
} from './dashboard-open.js';

const COPIES = 20;
const SPAM = 'Buy the finest clocks of the mesh at clocks.example today.';
/** Of a decision for twenty, by keyboard (the mark of the dashboard). */
const BULK_MS = within(20_000);

describe('One decision for many', () => {
  const { browser, test } = givenDashboard();
  let desk: Desk;
  let networks = 0;

  const stateOf = async (id: number): Promise<string> =>
    (await test.as().get(`/api/moderation/${id}`)).body.state;
  const statesOf = async (ids: readonly number[]) => {
    const states = await Promise.all(ids.map(stateOf));
    return [...new Set(states)];
  };

  async function waits(id: number): Promise<void> {
    const it = report({ message_id: id });
    await send(test, it, network(networks++)).expect(201);
    test.clock.advance(1000);
  }

  /** Reported topics with one text each, or all with the same. */
  async function reported(bodies: readonly string[]): Promise<number[]> {
    const ids: number[] = [];
    for (const body of bodies) {
      const title = `Topic ${networks}`;
      const { message } = await publish(test, { title, body });
      await waits(message.id);
      ids.push(message.id);
    }
    return ids;
  }

  const selected = (page: Page, n: number) =>
    page.getByText(`${n} selected`, { exact: true }).waitFor();

  /** The queue draws the rows in sight alone; what is newest is its last. */
  async function focusRow(page: Page, id = 0): Promise<void> {
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await page
      .locator('.queue-row')
      .filter({ has: page.getByText(`Message ${id}, `) })
      .getByRole('link')
      .focus();
  }

  async function decideForAll(page: Page, why: string): Promise<void> {
    await page.keyboard.press('d');
    await page.getByLabel('What to do').waitFor();
    await until(
      'the form to have the focus',
      async () => (await focused(page)) === 'What to do',
    );
    await page.keyboard.press('r'); // Remove
    await page.getByLabel('Reason').waitFor();
    while (!(await focused(page)).startsWith('Public explanation')) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type(why);
    await page.keyboard.press('Control+Enter');
  }

  before(async () => {
    desk = await deskOf(browser, test, 'moderator', { name: 'mo' });
  });
  afterEach(() => expect(desk.faults).to.deep.equal([]));

  it('is one form for twenty copies of a text, and undone as one', async () => {
    const { page } = desk;
    const copies = await reported(Array(COPIES).fill(SPAM));
    const [other = 0] = await reported(['Another text altogether.']);
    await openAt(desk, test, '/queue');
    await page.locator('.queue-row').first().waitFor();
    const begun = performance.now();
    await page.keyboard.press('j');
    await page.keyboard.press('s');
    await selected(page, COPIES);
    await decideForAll(page, 'Twenty copies of one advertisement.');
    await page.getByText(`${COPIES} of ${COPIES} decided`).waitFor();
    expect(performance.now() - begun).to.be.below(BULK_MS);
    expect(await statesOf(copies)).to.deep.equal(['removed']);
    expect(await stateOf(other)).to.equal('visible');
    await page
      .locator('.last-done')
      .getByText(`${COPIES} items removed.`)
      .waitFor();

    const undo = page.getByRole('region', { name: 'Undo' });
    await undo.getByLabel('Public explanation').fill('It was no spam.');
    await undo.getByRole('button', { name: /^Reinstate 20 items/ }).click();
    await page.getByText('(undo)').waitFor();
    await page.getByText(`${COPIES} of ${COPIES} decided`).waitFor();
    expect(await statesOf(copies)).to.deep.equal(['visible']);
    await page.getByRole('link', { name: 'Back to the queue' }).click();
    await page.getByText('Nothing selected').waitFor();
  });

  it('takes single rows and ranges, by key and by mouse', async () => {
    const { page } = desk;
    await reported(['First.', 'Second.', 'Third.', 'Fourth.']);
    await openAt(desk, test, '/queue');
    const boxes = page.getByRole('checkbox', { name: /^Select message/ });
    await boxes.first().click();
    await selected(page, 1);
    await boxes.nth(3).click({ modifiers: ['Shift'] });
    await selected(page, 4);
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.locator('.queue-row a').nth(1).focus();
    await page.keyboard.press('x');
    await selected(page, 1);
    await page.keyboard.press('j');
    await page.keyboard.press('X');
    await selected(page, 2);
    await page.reload();
    await selected(page, 2);
    await page.getByRole('button', { name: 'Clear' }).click();
  });

  it('selects all with the same name, key or link', async () => {
    const { page } = desk;
    const agent = await register(test);
    const link = 'See https://shop.example/';
    const signed = (title: string) =>
      publishSigned(test, agent, { title, name: title, body: title });
    const same = {
      name: [
        await publish(test, { title: 'N1', name: 'twin', body: 'One.' }),
        await publish(test, { title: 'N2', name: 'twin', body: 'Two.' }),
      ],
      key: [await signed('K1'), await signed('K2'), await signed('K3')],
      link: [
        await publish(test, { title: 'L1', body: `${link}1` }),
        await publish(test, { title: 'L2', body: `${link}2` }),
      ],
    };
    for (const { message } of Object.values(same).flat()) {
      await waits(message.id);
    }
    await openAt(desk, test, '/queue');
    const all = page.getByRole('group', { name: 'All with the same' });
    for (const [by, receipts] of Object.entries(same)) {
      const title = `${by[0]?.toUpperCase()}1`;
      await page.getByRole('link', { name: new RegExp(`${title}$`) }).focus();
      await all.getByRole('button', { name: by, exact: true }).click();
      await selected(page, receipts.length);
      for (const { message } of receipts) {
        const box = { name: `Select message ${message.id}`, exact: true };
        expect(await page.getByRole('checkbox', box).isChecked()).to.equal(
          true,
        );
      }
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('Nothing selected').waitFor();
    }
    // A guest has no key: it is said, and nothing is selected.
    await page.getByRole('link', { name: /N1$/ }).focus();
    await all.getByRole('button', { name: 'key', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/without a key/)
      .waitFor();
    await page.getByText('Nothing selected').waitFor();
  });

  it('is cancelled in the middle: what was decided stays, the rest too', async () => {
    const ids = await reported(['Cut 1.', 'Cut 2.', 'Cut 3.']);
    const [first = 0, ...rest] = ids;
    const bulk = randomUUID();
    const say = async (name: string, input: object) => {
      const { status, text } = await desk.caller.post(`/do/${name}`, input);
      expect(status, text).to.equal(200);
    };
    const items = ids.map((id) => ({ subject: `message:${id}`, seen: null }));
    const decision = { action: 'remove', reason: 'spam', explanation: 'Cut.' };
    await say('bulk.begin', { bulk, ...decision, items });
    await say('bulk.run', { bulk, most: 1 });
    const page = await desk.context.newPage();
    await unanswered(page);
    await page.goto(`${test.url}/admin/bulk/${bulk}`);
    await page.getByText(/^1 of 3 decided/).waitFor();
    await page.getByRole('button', { name: 'Stop the rest' }).click();
    await page.getByText(/Cancelled: the rest stays as it was/).waitFor();
    expect(await axeFaults(page)).to.deep.equal([]);
    expect(await stateOf(first)).to.equal('removed');
    expect(await statesOf(rest)).to.deep.equal(['visible']);
    const undo = page.getByRole('region', { name: 'Undo' });
    await undo.getByRole('button', { name: /^Reinstate 1 item/ }).waitFor();
    await page.close();
  });

  it('decides each once, and lists what another had decided', async () => {
    const { page } = desk;
    const same = 'The same words of three topics.';
    const ids = await reported([same, same, same]);
    const [first = 0] = ids;
    await openAt(desk, test, '/queue');
    await focusRow(page, first);
    await page.keyboard.press('s');
    await selected(page, 3);
    const other = await deskOf(browser, test, 'moderator', { name: 'wren' });
    await openAt(other, test, `/item/message:${first}`);
    await other.page.getByLabel('Public explanation').fill('We keep this one.');
    await other.page
      .getByRole('button', { name: 'Record', exact: true })
      .click();
    await other.page.locator('.last-done').getByText(/kept/).waitFor();
    await decideForAll(page, 'Three copies.');
    await page.getByText('2 of 3 decided').waitFor();
    const refused = page.getByRole('region', { name: 'Refused' });
    await refused.getByText('We keep this one.').waitFor();
    expect(await stateOf(first)).to.equal('visible');
    expect(await statesOf(ids.slice(1))).to.deep.equal(['removed']);
    for (const [width, colours] of [
      [360, 'dark'],
      [1280, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await inColours(page, colours);
      expect(await axeFaults(page)).to.deep.equal([]);
    }
    // It is selected still, now with the decision of the other in view.
    await refused.getByRole('link', { name: 'Decide for them again' }).click();
    await page
      .getByRole('heading', { name: /^Decide for 1 selected/ })
      .waitFor();
    expect(await axeFaults(page)).to.deep.equal([]);
    await page.getByLabel('What to do').selectOption('remove');
    await page
      .getByLabel('Public explanation')
      .fill('Both of us think so now.');
    await page.getByRole('button', { name: 'Record 1 decision' }).click();
    await page.getByText('1 of 1 decided').waitFor();
    expect(await stateOf(first)).to.equal('removed');
    await other.context.close();
  });

  it('goes on after the page was lost in the middle of it', async () => {
    const { page, context } = desk;
    const same = 'A text of two that are decided later.';
    const ids = await reported([same, same]);
    await unanswered(page);
    await openAt(desk, test, '/queue');
    await focusRow(page, ids[0]);
    await page.keyboard.press('s');
    await selected(page, 2);
    await decideForAll(page, 'Two copies.');
    await page.getByText('0 of 2 decided').waitFor();
    const again = await context.newPage();
    await again.goto(`${test.url}/admin/queue`);
    await again.getByText('0 of 2 selected items are decided').waitFor();
    await again.getByRole('link', { name: 'Continue' }).click();
    await again.getByText('2 of 2 decided').waitFor();
    expect(await statesOf(ids)).to.deep.equal(['removed']);
    await again.close();
  });
});
