import type { Page } from 'playwright-core';
import {
  addPeer,
  type Node,
  startNode,
} from '../mesh/boards/support/linked.js';
import { openPoll, PROPOSAL } from '../server/polls/polling.js';
import { network, rate } from '../server/votes/rating.js';
import { publish } from '../support/post.js';
import { type Desk, deskOf, givenDashboard, openAt } from './dashboard-open.js';

const PEER = 'grove.example';

describe('Two operators at one item', () => {
  const { browser, test } = givenDashboard({ ROLES: 'api' });
  let mo: Desk;
  let admin: Desk;
  let other: Desk;
  let poll: number;
  let peer: Node;

  const explanationOf = ({ page }: Desk) =>
    page.getByLabel('Public explanation').first();
  /** The other begins to write, and mo sees it. */
  async function bothAt(title: string): Promise<number> {
    other = await deskOf(browser, test, 'moderator', { name: title });
    const { message } = await publish(test, { title, body: `About ${title}.` });
    const path = `/item/message:${message.id}`;
    for (const one of [mo, other]) await openAt(one, test, path);
    await mo.page.getByText(new RegExp(`^${title} opened this`)).waitFor();
    await explanationOf(other).fill('I am not done');
    await mo.page.getByText(`Claimed by ${title}`).waitFor();
    const opened = other.page.getByText(/opened this/);
    const told = (await opened.allTextContents()).join();
    expect(told).to.include('mo').and.not.to.include(title);
    // That is in its place, and no news.
    expect(await mo.page.getByText(/Show$|new, show/).count()).to.equal(0);
    await other.page.getByText('Claimed by you').waitFor();
    return message.id;
  }
  async function signedOut(): Promise<void> {
    const { operatorId, sessionId, page } = other;
    const sessions = `/operators/${operatorId}/sessions`;
    await admin.caller.post(`${sessions}/${sessionId}/revoke`);
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor();
  }
  const lowered = ({ operatorId }: Desk) =>
    admin.caller.post(`/operators/${operatorId}/role`, { role: 'viewer' });
  async function offline(first: () => Promise<unknown>): Promise<void> {
    await other.context.setOffline(true);
    await other.page.getByText('No live connection.').waitFor();
    await first();
    await other.context.setOffline(false);
    await other.page.getByText('Live', { exact: true }).waitFor();
  }
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const freed = () => mo.page.getByText('Unclaimed.').waitFor();
  async function keptByMo(): Promise<void> {
    await explanationOf(mo).fill('It is fine.');
    await press(mo.page, 'Record');
    await mo.page.getByText(/kept \(decision \d+\)/).waitFor();
  }

  before(async () => {
    peer = await startNode(PEER);
    await addPeer(test, peer);
    const ended = { ...PROPOSAL, duration_hours: 24 };
    poll = (await openPoll(test, ended)).id;
    test.clock.advance(25 * 3_600_000);
    mo = await deskOf(browser, test, 'moderator', { name: 'mo' });
    admin = await deskOf(browser, test, 'admin', { name: 'heron' });
  });
  after(() => peer?.stop());
  afterEach(async () => {
    expect([...mo.faults, ...other.faults]).to.deep.equal([]);
    await other.context.close();
  });

  it('free it when one is signed out', async () => {
    await bothAt('gone');
    await signedOut();
    await freed();
    await keptByMo();
  });

  it('free it when one is lowered, who is told so and keeps the words', async () => {
    await bothAt('lowered');
    await lowered(other);
    await freed();
    await keptByMo();
    await press(other.page, 'mo decided: Keep. Show');
    await other.page.getByText(/Show$/).waitFor({ state: 'detached' });
    await press(other.page, 'Record');
    await other.page.getByText(/takes the role moderator, and yours/).waitFor();
    expect(await explanationOf(other).inputValue()).to.equal('I am not done');
  });

  it('keep the words of one who was offline, and overwrite nothing', async () => {
    const id = await bothAt('offline');
    const { page } = other;
    await offline(async () => {
      await press(mo.page, 'Take over');
      await mo.page.getByText('Claimed by you').waitFor();
      await keptByMo();
    });
    await page
      .getByRole('button', { name: 'mo decided: Keep. Show' })
      .waitFor();
    await press(page, 'Record');
    await page.getByText('Somebody else decided first').waitFor();
    await press(page, 'Continue with my draft');
    expect(await explanationOf(other).inputValue()).to.equal('I am not done');
    const { body } = await test.as().get(`/api/moderation/${id}`);
    expect(body.decisions).to.have.length(1);
  });

  /** An admin who is offline while `first` happens. */
  async function late(
    path: string,
    write: (page: Page) => Promise<unknown>,
    first: () => Promise<unknown>,
  ): Promise<Page> {
    other = await deskOf(browser, test, 'admin');
    await openAt(other, test, path);
    await write(other.page);
    await offline(first);
    return other.page;
  }
  /** What the first has decided. */
  async function names(...facts: string[]): Promise<void> {
    const conflict = other.page.locator('.conflict');
    await conflict.getByText('Somebody else decided first').waitFor();
    for (const said of facts) {
      await conflict.getByText(said, { exact: true }).waitFor();
    }
  }
  const write = (text: string) => (page: Page) =>
    page.getByLabel('Public explanation').first().fill(text);

  it('name the first at a hidden topic, and keep the words of the second', async () => {
    const { message } = await publish(test, { title: 'Hidden once' });
    for (const n of [1, 2, 3]) await rate(test, message.id, -1, network(n));
    const page = await late('/hidden', write('A fair question.'), async () => {
      await openAt(mo, test, '/hidden');
      await mo.page.getByLabel('What to do').selectOption('Leave hidden');
      await explanationOf(mo).fill('An advertisement.');
      await press(mo.page, 'Leave hidden');
      await mo.page.getByText(/stays hidden \(decision \d+\)/).waitFor();
    });
    await press(page, 'Show again');
    await names('mo', 'Leave hidden, Spam', 'An advertisement.');
    await press(page, 'Show it as it is now');
    await page.getByText('Hidden by decision').waitFor();
    const kept = await explanationOf(other).inputValue();
    expect(kept).to.equal('A fair question.');
    await press(page, 'Show again');
    await page.getByText(/shown again \(decision \d+\)/).waitFor();
  });

  it('name the first at a poll', async () => {
    const decision = { action: 'poll_decision', id: poll, outcome: 'accepted' };
    const page = await late('/polls', write('Not now.'), () =>
      mo.caller.post('/do/decision.record', {
        ...{ ...decision, explanation: 'So be it.', seen: null },
      }),
    );
    await press(page, 'Record');
    await names('So be it.');
    expect(await explanationOf(other).inputValue()).to.equal('Not now.');
    await press(page, 'Show it as it is now');
    await page.getByText('No proposal waits for an answer.').waitFor();
    // What reads pages without their tags has a word for itself.
    const log = await test.as().get('/moderation').set('Accept', 'text/html');
    expect(log.text.replace(/<[^>]*>/g, '')).to.match(/\baccepted\b/);
  });

  it('name the first at a usefulness report', async () => {
    const period = { from: '2026-01-15', to: '2026-01-16', note: '' };
    const { body } = await mo.caller.post('/do/usefulness.draft', period);
    const { id } = body;
    const note = 'Public note';
    const page = await late(
      '/usefulness',
      async (page) => {
        await page.getByLabel(note).last().fill('A first week.');
        await press(page, 'Preview');
        await press(page, 'Publish');
      },
      () => admin.caller.post('/do/usefulness.publish', { id }),
    );
    await page.getByRole('dialog').getByText('Publish').last().click();
    await page.getByText(/is published already, by heron,/).waitFor();
    const kept = await page.getByLabel(note).last().inputValue();
    expect(kept).to.equal('A first week.');
  });

  it('change nothing that the first has changed, and show it as it is', async () => {
    const role = `/operators/${mo.operatorId}/role`;
    let page = await late(
      '/operators',
      (page) => press(page, 'Disable mo'),
      () => admin.caller.post(role, { role: 'admin' }),
    );
    await press(page, 'Disable');
    await page.getByText('This account has changed meanwhile').waitFor();
    await page.getByRole('row', { name: /^mo mo admin active/ }).waitFor();
    await other.context.close();
    const change = { board: PEER, trust: 'proofs' };
    page = await late(
      `/mesh?board=${PEER}`,
      (page) => press(page, `Pause ${PEER}`),
      () => admin.caller.post('/do/peer.trust', change),
    );
    await press(page, 'Pause');
    await page.getByText('This peer has changed meanwhile').waitFor();
    await page.getByRole('cell', { name: 'proofs' }).waitFor();
    expect((await test.board.peerAdmin.read(PEER)).status).to.equal('active');
  });

  it('block no board when one has lost the right to', async () => {
    const page = await late(
      '/mesh',
      async (page) => {
        await press(page, PEER);
        await press(page, `Block ${PEER}`);
        await page.getByLabel('Why (for operators)').fill('It lies.');
      },
      () => lowered(other),
    );
    await press(page, 'Block');
    await page.getByText(/takes the role admin, and yours/).waitFor();
    expect((await test.board.peerAdmin.read(PEER)).status).to.equal('active');
    await press(page, `Block ${PEER}`);
    const why = page.getByLabel('Why (for operators)');
    expect(await why.inputValue()).to.equal('It lies.');
  });
});
