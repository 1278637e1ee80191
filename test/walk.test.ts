import type { Page } from 'playwright-core';
import { codeIn, codeOf, PASSPHRASE } from './admin/access-browser.js';
import { firstLink } from './admin/access-link.js';
import {
  atItsAddress,
  givenDashboard,
  settled,
  watchedPage,
} from './browser/dashboard-open.js';
import { publish } from './support/post.js';

const SPAM = 'Cheap clocks, all day long.';
const WHY = 'The same advertisement as yesterday.';

/** What test/browser looks at in detail, once from end to end. */
describe('A walk in a browser', () => {
  const { browser, test } = givenDashboard(() => atItsAddress('127.0.0.1'));
  let page: Page;
  let faults: string[];
  let spam: number;

  before(async () => {
    const topic = { room: 'workshop', title: 'How to measure a rumour' };
    const { message } = await publish(test, { ...topic, body: 'By **ear**.' });
    const reply = { reply_to: message.id, body: SPAM };
    spam = (await publish(test, reply)).message.id;
    ({ page, faults } = await watchedPage(browser, test));
  });
  afterEach(() => expect(faults).to.deep.equal([]));

  it('shows a visitor topics, a thread and what a search finds', async () => {
    await page.goto(test.url);
    await page.getByRole('link', { name: 'How to measure a rumour' }).click();
    await page.getByText(SPAM).waitFor();
    expect(await page.locator('strong').textContent()).to.equal('ear');
    await page.goto(`${test.url}/search`);
    await page.fill('#q', 'clocks');
    await page.locator('summary', { hasText: 'Narrow it down' }).click();
    await page.selectOption('#room', 'workshop');
    await page.press('#q', 'Enter');
    await page.waitForURL(/q=clocks/);
    expect(await page.locator('li.card').count()).to.equal(1);
  });

  it('takes a visitor’s report of a message', async () => {
    await page.goto(`${test.url}/t/1`);
    await page.getByRole('link', { name: `report message ${spam}` }).click();
    await page.selectOption('#reason', 'spam');
    await page.fill('#detail', 'two\nlines');
    await page.getByRole('button').click();
    // The address to keep is the one that is shown.
    await page.waitForURL(/\/report\/[0-9a-f-]{36}$/);
    await page.getByText('Received. Nobody has begun with it yet.').waitFor();
  });

  it('lets the first operator in by the set-up link', async () => {
    const code = codeIn(await firstLink(test));
    await page.goto(`${test.url}/admin/setup#${code}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('root');
    await page.getByLabel('Public alias').fill('Keeper');
    await page.getByRole('textbox', { name: 'Passphrase' }).fill(PASSPHRASE);
    const secret = await page.locator('.totp code').textContent();
    await page
      .getByLabel('Code of your authenticator app')
      .fill(codeOf(test, (secret ?? '').replaceAll(' ', '')));
    await page.getByRole('button', { name: 'Set up the account' }).click();
    await page.getByLabel('I have saved these codes').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('leads from the queue to a decision that the public sees', async () => {
    await page.goto(`${test.url}/admin/queue`);
    await page.getByText('Live', { exact: true }).waitFor();
    await settled(page);
    await page.locator('.queue-row a').first().click();
    await page.getByRole('heading', { name: `Message ${spam}` }).waitFor();
    await page.getByLabel('What to do').selectOption('remove');
    await page.getByLabel('Public explanation').fill(WHY);
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.getByText('Removed. The text can be reinstated').waitFor();
    await page.goto(`${test.url}/t/1`);
    expect(await page.content()).not.to.include(SPAM);
    await page.goto(`${test.url}/moderation`);
    await page.getByText(WHY).waitFor();
    await page.getByText('Keeper').waitFor();
  });
});
