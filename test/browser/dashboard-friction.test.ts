import type { Page } from 'playwright-core';
import { Message } from '../../server/db/entities/message.js';
import { Peer } from '../../server/db/entities/peer.js';
import { Report } from '../../server/db/entities/report.js';
import { report, send } from '../server/moderation/reports/reporting.js';
import { network, rate } from '../server/votes/rating.js';
import type { TestBoard } from '../support/board.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import { type Desk, deskOf, givenDashboard, openAt } from './dashboard-open.js';
import { mirroredBoard, PEER } from './pages-mirrored.js';

/** Each is a fault that an operator met; its name says what must not be. */
describe('Operators without friction', () => {
  const { browser, test } = givenDashboard({
    ...{ MESH_ALLOW_HTTP: 'on', MESH_ALLOW_PRIVATE: 'on' },
  });
  let peer: TestBoard | undefined;
  after(() => peer?.stop());
  let desk: Desk;
  let page: Page;
  let reports = 0;

  async function waiting(title: string, more: object = {}): Promise<number> {
    const { message } = await publish(test, {
      ...{ title, body: `About ${title}.`, ...more },
    });
    const it = report({ message_id: message.id });
    await send(test, it, network(900 + reports++)).expect(201);
    test.clock.advance(1000);
    return message.id;
  }
  const heading = (name: string) =>
    page.getByRole('heading', { level: 1, name }).waitFor();
  const explain = (why: string) =>
    page.getByLabel('Public explanation').first().fill(why);
  const press = (name: string) =>
    page.getByRole('button', { name, exact: true }).first().click();

  before(async () => {
    desk = await deskOf(browser, test, 'moderator', { name: 'mo' });
    page = desk.page;
  });
  afterEach(() => expect(desk.faults).to.deep.equal([]));

  it('go on to the row after this one that no colleague has claimed', async () => {
    const ids: number[] = [];
    for (const n of [1, 2, 3, 4]) ids.push(await waiting(`Hard case ${n}`));
    const [, second = 0, third, fourth] = ids;
    const other = await deskOf(browser, test, 'moderator', { name: 'other' });
    await other.caller.post('/do/subject.claim', {
      subject: `message:${third}`,
    });
    await openAt(desk, test, '/queue');
    await page.getByText('Claimed by other').waitFor();
    await openAt(desk, test, `/item/message:${second}`);
    await explain('It is fine.');
    await press('Record and next');
    await heading(`Message ${fourth}`);
    await other.context.close();
  });

  it('leave a topic hidden, are not asked again, and show it after all', async () => {
    const { message } = await publish(test, { title: 'Buy clocks' });
    for (const n of [1, 2, 3]) await rate(test, message.id, -1, network(n));
    await openAt(desk, test, '');
    const todo = page.getByRole('link', { name: '1 hidden topic to review' });
    await todo.click();
    const card = page.getByRole('article').filter({ hasText: 'Buy clocks' });
    await card.getByLabel('What to do').selectOption('hide');
    await card.getByLabel('Reason').selectOption('advertising');
    await card.getByText('3 votes at once').first().waitFor();
    await card.getByLabel('Public explanation').fill('An advertisement.');
    await card.getByRole('button', { name: 'Preview' }).click();
    const preview = card.getByRole('region', { name: 'Exact public preview' });
    await preview.getByText('Leave hidden', { exact: true }).waitFor();
    const leave = card.getByRole('button', { name: 'Leave hidden' });
    await leave.click();
    await page.getByText(/stays hidden \(decision \d+\)/).waitFor();
    // The form offers what is left to do, and nothing is written in it.
    await leave.waitFor({ state: 'detached' });
    const show = card.getByRole('button', { name: 'Show again' });
    expect(await show.isDisabled()).to.equal(true);
    expect(await card.getByRole('textbox').inputValue()).to.equal('');
    await openAt(desk, test, '');
    expect(await todo.count()).to.equal(0);
    await page.getByText('Leave hidden, mo', { exact: true }).waitFor();
    await openAt(desk, test, '/hidden');
    await card.getByText('Every vote').click();
    await explain('Three votes in one minute were no opinion of readers.');
    await show.click();
    await card.waitFor({ state: 'detached' });
    await page.getByText(/shown again \(decision \d+\)/).waitFor();
    // What was done here itself is no news.
    expect(await page.getByText(/new, show/).count()).to.equal(0);
    const { body } = await test.as().get(`/api/moderation/${message.id}`);
    expect(body.state).to.equal('restored');
  });

  it('decide for copies of a text in one row, with all filled in', async () => {
    const spam = { body: 'Buy the finest clocks of the mesh today.' };
    const ids = [];
    for (const n of [1, 2, 3]) ids.push(await waiting(`Clocks ${n}`, spam));
    await publish(test, { reply_to: ids[0] ?? 0, body: 'It is one.' }).then(
      ({ message: { id } }) =>
        send(test, report({ message_id: id }), network(900 + reports++)),
    );
    await openAt(desk, test, '/queue');
    // A message that begins no thread has the name that readers know.
    await page.getByText(/topics, 1 reply\)/).waitFor();
    const clocks = page.getByRole('link', { name: /Clocks \d$/ });
    await clocks.first().waitFor();
    expect(await clocks.count()).to.equal(1);
    await press('Show 3 copies');
    await clocks.nth(2).waitFor();
    await press('Decide all 3');
    await heading('Decide for 3 selected items');
    await page.getByText('Clocks 2').waitFor();
    await page.getByLabel('What to do').selectOption('remove');
    // The reason of their reports, and the number of copies.
    expect(await page.getByLabel('Reason').inputValue()).to.equal('spam');
    await page.getByLabel('Template', { exact: true }).selectOption('Spam');
    const why = await page.getByLabel('Public explanation').inputValue();
    expect(why).to.include('posted 3 times');
  });

  it('go on in the order of the queue', async () => {
    const ids: number[] = [];
    for (const n of [1, 2, 3]) ids.push(await waiting(`Ordered ${n}`));
    const [few = 0, most = 0] = [ids[0], ids[2]];
    for (const [id, more] of [
      [few, 1],
      [most, 2],
    ] as const) {
      for (let n = 0; n < more; n++) {
        const it = report({ message_id: id });
        await send(test, it, network(900 + reports++)).expect(201);
      }
    }
    await openAt(desk, test, '/queue');
    await page.getByLabel('Order').selectOption('Most reports first');
    await page.getByText(/most reports first/).waitFor();
    await page
      .getByRole('link', { name: /Ordered 3$/ })
      .first()
      .click();
    await heading(`Message ${most}`);
    await explain('It is fine.');
    await press('Record and next');
    await heading(`Message ${few}`);
  });

  it('pass a mirrored message on, and read what became of it', async () => {
    const mirrored = await mirroredBoard(test);
    const { root } = mirrored;
    peer = mirrored.peer;
    await rows(test).updateAll(Peer, { baseUrl: peer.url });
    const it = report({ message_id: root, board: PEER, detail: 'A secret.' });
    await send(test, it, network(900 + reports++)).expect(201);
    await openAt(desk, test, '/queue');
    const box = page.getByLabel(`Select message ${root} of ${PEER}`);
    expect(await box.isDisabled()).to.equal(true);
    await openAt(desk, test, `/item/mirrored:${root}@${PEER}`);
    await page.getByText(/^To close these reports/).waitFor();
    const pass = page.getByRole('button', { name: 'Pass on', exact: true });
    expect(await pass.isDisabled()).to.equal(true);
    await page.getByLabel('Reason').selectOption('privacy');
    await page.getByLabel('Your words to that board').fill('Please look.');
    await pass.click();
    await page.getByText(/Passed on by mo as privacy/).waitFor();
    const [sent, ...more] = await rows(peer).find(Report);
    expect(more).to.deep.equal([]);
    expect(sent?.detail).to.match(/^Please look\.\n\n/);
    expect(sent?.detail).not.to.contain('secret');
    const requestId = sent?.requestId ?? '';
    const settled = { status: 'resolved', answer: 'We removed it.' } as const;
    await rows(peer).update(Report, { requestId }, settled);
    test.clock.advance(600_000);
    await openAt(desk, test, `/item/mirrored:${root}@${PEER}`);
    await page.getByText('We removed it.').waitFor();
  });

  it('begin a usefulness report with days that the board has seen', async () => {
    const other = await deskOf(browser, test, 'moderator', { name: 'young' });
    await waiting('Since the beginning');
    const first = await rows(test).findOneByOrFail(Message, { id: 1 });
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const now = first.createdAt + 2 * 86_400_000;
    await other.page.clock.setFixedTime(now);
    await openAt(other, test, '/usefulness');
    const value = (label: string) => other.page.getByLabel(label).inputValue();
    expect(await value('From (UTC)')).to.equal(day(first.createdAt));
    expect(await value('Until (last day excluded)')).to.equal(day(now));
    // No day has ended on the first of them.
    await other.page.clock.setFixedTime(first.createdAt + 1000);
    await openAt(other, test, '/usefulness');
    await other.page.getByText(/the first day of this board has not/).waitFor();
    expect(await other.page.getByLabel('From (UTC)').count()).to.equal(0);
    await other.context.close();
  });

  it('see who kept an item that comes back', async () => {
    const id = await waiting('Kept once');
    const keep = { action: 'keep', id, reason: 'within_rules' };
    await desk.caller.post('/do/decision.record', {
      ...{ ...keep, explanation: 'It is fine.' },
    });
    test.clock.advance(1000);
    const again = report({ message_id: id, reason: 'other' });
    await send(test, again, network(900 + reports++)).expect(201);
    await openAt(desk, test, '/queue');
    const row = page.locator('.queue-row').filter({ hasText: 'Kept once' });
    await row.getByText(/^Kept by mo/).waitFor();
  });

  it('reverse a Keep with something else', async () => {
    const id = await waiting('Kept by mistake');
    // The history may come after the click.
    let release = () => {};
    let held: Promise<void> | undefined;
    await page.routeWebSocket(/socket\.io/, (route) => {
      const board = route.connectToServer();
      route.onMessage(async (text) => {
        if (String(text).includes('item.read')) await held;
        board.send(text);
      });
    });
    await openAt(desk, test, `/item/message:${id}`);
    await explain('We keep it.');
    held = new Promise((done) => {
      release = done;
    });
    await press('Record');
    await page.getByText(/kept \(decision \d+\)/).waitFor();
    await press('Undo');
    await page.waitForURL(/undo=\d+/);
    release();
    await page.getByText(/reverses decision \d+/).waitFor();
    const action = page.getByLabel('What to do');
    expect(await action.inputValue()).to.equal('remove');
  });

  it('do what is to be done where it is named', async () => {
    for (const path of ['', '/system']) {
      await openAt(desk, test, path);
      for (const what of [
        page.getByText(/^mkdir -p \/backups && reserve-board backup/),
        page.getByRole('button', { name: 'Copy command' }),
        page.getByText(/In a checkout, .* bin\/reserve-board\.js/),
      ]) {
        await what.first().waitFor();
      }
    }
  });
});
