import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { TestBoard } from '../support/board.js';
import { openBrowser } from '../support/browser.js';
import { enrolled } from './dashboard-enrolled.js';
import { dashboardBoard } from './dashboard-open.js';

const FRESH_MS = 11 * 60_000;

describe('A passkey', () => {
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

  it('sets an account up, signs in and answers whether it is still you', async () => {
    const { page, context, faults, url } = await enrolled(browser, test);
    await page.goto(`${url}/admin/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    const signIn = { name: 'Sign in with a passkey' };
    await page.getByRole('button', signIn).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();

    test.clock.advance(FRESH_MS);
    await page.goto(`${url}/admin/operators`);
    await page.getByLabel('Name to sign in with').fill('second');
    await page.getByRole('button', { name: 'Make a link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is it still you?' });
    await dialog.getByRole('button', { name: /passkey/ }).click();
    await page.getByText(/\/admin\/setup#/).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
