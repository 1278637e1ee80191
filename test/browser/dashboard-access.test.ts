import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { codeIn, codeOf, PASSPHRASE } from '../admin/access-browser.js';
import { firstLink } from '../admin/access-link.js';
import type { TestBoard } from '../support/board.js';
import { openBrowser } from '../support/browser.js';
import { axeFaults, dashboardBoard, watchedPage } from './dashboard-open.js';

const STEP_MS = 30_000;
const FRESH_MS = 11 * 60_000;

describe('Getting into the dashboard', () => {
  let browser: Browser;
  let test: TestBoard;

  before(async () => {
    browser = await openBrowser();
    test = await dashboardBoard();
  });
  after(async () => {
    await browser?.close();
    await test?.stop();
  });

  it('goes by a set-up link, then by the passphrase, then again', async () => {
    const { page, context, faults } = await watchedPage(browser, test);
    const code = codeIn(await firstLink(test));
    // 127.0.0.1 holds no passkey, so the passphrase is all that is offered.
    await page.goto(`${test.url}/admin/setup#${code}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('root');
    await page.getByLabel('Public alias').fill('Keeper');
    const passphrase = page.getByRole('textbox', { name: 'Passphrase' });
    await passphrase.fill('short');
    await page.getByText('7 more').waitFor();
    await passphrase.fill(PASSPHRASE);
    await page.getByRole('img', { name: /secret/i }).waitFor();
    const shown = await page.locator('.totp code').textContent();
    const secret = (shown ?? '').replaceAll(' ', '');
    expect(await axeFaults(page)).to.deep.equal([]);
    const app = page.getByLabel('Code of your authenticator app');
    await app.fill(codeOf(test, secret));
    await page.getByRole('button', { name: 'Set up the account' }).click();

    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    expect(await page.locator('.codes li').count()).to.equal(10);
    expect(await axeFaults(page)).to.deep.equal([]);
    const on = page.getByRole('button', { name: 'Go on' });
    expect(await on.isDisabled()).to.equal(true);
    await page.getByLabel('I have kept the codes').check();
    await on.click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    await page.goto(`${test.url}/admin/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor();
    expect(await axeFaults(page)).to.deep.equal([]);

    test.clock.advance(STEP_MS);
    await page.getByRole('textbox', { name: 'Name' }).fill('root');
    await passphrase.fill(PASSPHRASE);
    await app.fill('000000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await app.fill(codeOf(test, secret));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();

    // What changes accounts asks once more when the credential is old.
    test.clock.advance(FRESH_MS);
    await page.goto(`${test.url}/admin/operators`);
    await page.getByLabel('Name to sign in with').fill('second');
    await page.getByRole('button', { name: 'Make a link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is it still you?' });
    await dialog.waitFor();
    expect(await axeFaults(page)).to.deep.equal([]);
    await dialog.getByRole('textbox', { name: 'Passphrase' }).fill(PASSPHRASE);
    await dialog
      .getByLabel('Code of your authenticator app')
      .fill(codeOf(test, secret));
    await dialog.getByRole('button', { name: 'Use the passphrase' }).click();
    await page.getByText(/\/admin\/setup#/).waitFor();
    // The cookie is new, and the live connection came back with it.
    await page.getByText('Live', { exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('says what is wrong with half a link', async () => {
    const { page, context } = await watchedPage(browser, test);
    await page.goto(`${test.url}/admin/setup`);
    await page.getByText('not a whole set-up link').waitFor();
    await page.goto(`${test.url}/admin/setup#wrong`);
    await page.reload();
    await page.getByRole('alert').waitFor();
    await context.close();
  });
});
