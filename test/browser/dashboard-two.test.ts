import { network, rate } from '../server/votes/rating.js';
import { publish } from '../support/post.js';
import { type Desk, deskOf, givenDashboard, openAt } from './dashboard-open.js';

describe('Two operators at one item', () => {
  const { browser, test } = givenDashboard();
  let mo: Desk;
  let admin: Desk;
  let other: Desk;

  const explanationOf = ({ page }: Desk) =>
    page.getByLabel('Public explanation').first();
  /** The other begins to write, and mo sees it. */
  async function bothAt(title: string): Promise<number> {
    other = await deskOf(browser, test, 'moderator', { name: title });
    const { message } = await publish(test, { title, body: `About ${title}.` });
    const path = `/item/message:${message.id}`;
    for (const one of [mo, other]) await openAt(one, test, path);
    await explanationOf(other).fill('I am not done');
    await mo.page.getByText(`Claimed by ${title}`).waitFor();
    await other.page.getByText('Claimed by you').waitFor();
    return message.id;
  }
  const freed = () => mo.page.getByText('Unclaimed.').waitFor();
  async function keptByMo(): Promise<void> {
    await explanationOf(mo).fill('It is fine.');
    await mo.page.getByRole('button', { name: 'Record', exact: true }).click();
    await mo.page.getByText(/kept \(decision \d+\)/).waitFor();
  }

  before(async () => {
    mo = await deskOf(browser, test, 'moderator', { name: 'mo' });
    admin = await deskOf(browser, test, 'admin', { name: 'heron' });
  });
  afterEach(async () => {
    expect([...mo.faults, ...other.faults]).to.deep.equal([]);
    await other.context.close();
  });

  it('free it when one is signed out', async () => {
    await bothAt('gone');
    const { operatorId, sessionId } = other;
    const sessions = `/operators/${operatorId}/sessions`;
    await admin.caller.post(`${sessions}/${sessionId}/revoke`);
    await other.page.getByRole('heading', { name: /^Sign in to/ }).waitFor();
    await freed();
    await keptByMo();
  });

  it('free it when one is lowered, who is told so and keeps the words', async () => {
    await bothAt('lowered');
    const role = `/operators/${other.operatorId}/role`;
    await admin.caller.post(role, { role: 'viewer' });
    await freed();
    await keptByMo();
    await other.page
      .getByRole('button', { name: 'Record', exact: true })
      .click();
    await other.page.getByText(/takes the role moderator, and yours/).waitFor();
    expect(await explanationOf(other).inputValue()).to.equal('I am not done');
  });

  it('keep the words of one who was offline, and overwrite nothing', async () => {
    const id = await bothAt('offline');
    await other.context.setOffline(true);
    await other.page.getByText('No live connection.').waitFor();
    await mo.page.getByRole('button', { name: 'Take over' }).click();
    await mo.page.getByText('Claimed by you').waitFor();
    await keptByMo();
    await other.context.setOffline(false);
    const { page } = other;
    await page
      .getByRole('button', { name: 'mo decided: Keep. Show' })
      .waitFor();
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.getByText('Somebody else decided first').waitFor();
    await page.getByRole('button', { name: 'Continue with my draft' }).click();
    expect(await explanationOf(other).inputValue()).to.equal('I am not done');
    const { body } = await test.as().get(`/api/moderation/${id}`);
    expect(body.decisions).to.have.length(1);
  });

  it('refuse the second at a hidden topic, who was offline, and keep the words', async () => {
    other = await deskOf(browser, test, 'moderator', { name: 'late' });
    const { message } = await publish(test, { title: 'Hidden once' });
    for (const n of [1, 2, 3]) await rate(test, message.id, -1, network(n));
    for (const one of [mo, other]) {
      await openAt(one, test, '/hidden');
      await explanationOf(one).fill('We looked at it.');
    }
    const showAgain = ({ page }: Desk) =>
      page.getByRole('button', { name: 'Show again' }).click();
    await other.context.setOffline(true);
    await showAgain(mo);
    await mo.page.getByText(/shown again \(decision \d+\)/).waitFor();
    await other.context.setOffline(false);
    await showAgain(other);
    await other.page.getByText(/^Another operator decided/).waitFor();
    expect(await explanationOf(other).inputValue()).to.equal(
      'We looked at it.',
    );
    const { body } = await test.as().get(`/api/moderation/${message.id}`);
    expect(body.decisions).to.have.length(1);
  });
});
