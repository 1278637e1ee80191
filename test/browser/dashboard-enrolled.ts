import type { Browser } from 'playwright-core';
import { codeIn } from '../admin/access-browser.js';
import { firstLink } from '../admin/access-link.js';
import type { TestBoard } from '../support/board.js';
import { type Desk, watchedPage } from './dashboard-open.js';

const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

/**
 * The first operator, who has set a passkey up on a device of this browser; the
 * board is at `url`, by name, as an address holds no passkey.
 */
export async function enrolled(
  browser: Browser,
  test: TestBoard,
  options: { width?: number } = {},
): Promise<Pick<Desk, 'context' | 'page' | 'faults'> & { url: string }> {
  const url = test.url.replace('127.0.0.1', 'localhost');
  const watched = await watchedPage(browser, { url }, options);
  const { page, context } = watched;
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: DEVICE });
  await page.goto(`${url}/admin/setup#${codeIn(await firstLink(test))}`);
  await page.getByRole('textbox', { name: 'Name' }).fill('root');
  const make = { name: 'Make a passkey on this device' };
  await page.getByRole('button', make).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await page.getByLabel('I have kept the codes').check();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  return { ...watched, url };
}
