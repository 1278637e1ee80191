import { report, send } from '../server/moderation/reports/reporting.js';
import { network } from '../server/votes/rating.js';
import type { TestBoard } from '../support/board.js';
import { givenBrowser } from '../support/browser.js';
import { publish } from '../support/post.js';
import { type Desk, dashboardBoard, deskOf, openAt } from './dashboard-open.js';

describe('Work at the dashboard', () => {
  const browser = givenBrowser();
  let test: TestBoard;
  let desk: Desk;
  let reports = 0;

  const reported = (id: number) =>
    send(test, report({ message_id: id }), network(900 + reports++)).expect(
      201,
    );
  const titles = () => desk.page.locator('.queue-row a').allTextContents();
  beforeEach(async () => {
    test = await dashboardBoard();
    for (const n of [1, 2, 3, 4]) {
      await publish(test, { title: `Topic ${n}`, body: `Text ${n}.` });
      test.clock.advance(1000);
    }
    for (const id of [1, 2, 3]) {
      await reported(id);
      test.clock.advance(1000);
    }
    desk = await deskOf(browser, test, 'moderator', { name: 'mo' });
  });
  afterEach(async () => {
    expect(desk.faults).to.deep.equal([]);
    await desk.context.close();
    await test.stop();
  });

  it('hints at what is new and moves no row by itself', async () => {
    const { page } = desk;
    await openAt(desk, test, '/queue');
    await page.getByRole('link', { name: /Topic 3/ }).waitFor();
    const before = await titles();
    await reported(4);
    const hint = page.getByRole('button', { name: '1 new, show' });
    await hint.waitFor();
    expect(await titles()).to.deep.equal(before);
    await hint.click();
    await page.getByRole('link', { name: /Topic 4/ }).waitFor();
    await hint.waitFor({ state: 'detached' });
  });

  it('hints at nothing that a late list holds already', async () => {
    const { page } = desk;
    let answer = () => {};
    const told = new Promise<void>((resolve) => {
      answer = resolve;
    });
    // Its list is read only when the news of a fourth report has come.
    await page.routeWebSocket(/socket\.io/, (route) => {
      const board = route.connectToServer();
      board.onMessage((text) => {
        route.send(text);
        if (String(text).includes('"report_id"')) answer();
      });
      route.onMessage(async (text) => {
        if (String(text).includes('queue.list')) await told;
        board.send(text);
      });
    });
    await page.route('**/do/queue.list', (route) => route.abort());
    await page.goto(`${test.url}/admin/queue`);
    await page.getByText('Live', { exact: true }).waitFor();
    await reported(4);
    await page.getByRole('link', { name: /Topic 4/ }).waitFor();
    await reported(4);
    await page.getByText('New report').waitFor();
    expect(
      await page.getByRole('button', { name: /new, show/ }).count(),
    ).to.equal(0);
  });

  it('says that the connection is lost, and catches up', async () => {
    const { page } = desk;
    const lines: (() => Promise<void>)[] = [];
    let isCut = false;
    await page.routeWebSocket(/socket\.io/, async (route) => {
      if (isCut) return await route.close();
      const board = route.connectToServer();
      lines.push(async () => {
        await board.close();
        await route.close();
      });
    });
    await openAt(desk, test, '/queue');
    await page.getByRole('link', { name: /Topic 3/ }).waitFor();
    isCut = true;
    for (const cut of lines) await cut();
    await page.getByText('No live connection.').waitFor();
    await reported(4);
    isCut = false;
    await page.getByText('Live', { exact: true }).waitFor();
    // Told once, though it came while nobody could be told.
    await page.getByRole('button', { name: '1 new, show' }).waitFor();
    expect(lines).to.have.length.above(1);
  });

  it('keeps single letters out of fields, and can do without', async () => {
    const { page } = desk;
    await openAt(desk, test, '/item/message:1');
    await page.getByLabel('Public explanation').fill('');
    await page.getByLabel('Public explanation').pressSequentially('judo?');
    expect(await page.getByLabel('Public explanation').inputValue()).to.equal(
      'judo?',
    );
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });
});
