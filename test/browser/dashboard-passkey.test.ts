import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { codeIn } from '../admin/access-browser.js';
import { firstLink } from '../admin/access-link.js';
import type { TestBoard } from '../support/board.js';
import { openBrowser } from '../support/browser.js';
import { dashboardBoard, watchedPage } from './dashboard-open.js';

const FRESH_MS = 11 * 60_000;
const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

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
    // By name: an address holds no passkey.
    const url = test.url.replace('127.0.0.1', 'localhost');
    const { page, context, faults } = await watchedPage(browser, { url });
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: DEVICE,
    });
    await page.goto(`${url}/admin/setup#${codeIn(await firstLink(test))}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('root');
    const make = { name: 'Make a passkey on this device' };
    await page.getByRole('button', make).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await page.getByLabel('I have kept the codes').check();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

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
