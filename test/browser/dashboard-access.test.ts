import { codeIn, codeOf, PASSPHRASE } from '../admin/access-browser.js';
import { firstLink, inviteCode } from '../admin/access-link.js';
import { Receiver, verified } from '../admin/webhook-receiver.js';
import { report, send } from '../server/moderation/reports/reporting.js';
import { TestClock } from '../support/clock.js';
import { given } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import {
  atItsAddress,
  axeFaults,
  givenDashboard,
  watchedPage,
} from './dashboard-open.js';

const STEP_MS = 30_000;
const MINUTE_MS = 60_000;
const FRESH_MS = 11 * MINUTE_MS;
const PHONE = 360;
const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

describe('Getting into the dashboard', () => {
  const receiver = given(() => Receiver.start());

  const { browser, test } = givenDashboard(
    async () => ({
      ...(await atItsAddress()),
      WEBHOOK_PRIVATE_ORIGINS: receiver.origin,
    }),
    // The receiver takes what is of now: where the last test has come to.
    new TestClock(Date.now() - 2 * FRESH_MS),
  );

  it('goes by a set-up link, then by the passphrase, then again', async () => {
    const { page, context, faults } = await watchedPage(browser, test);
    const code = codeIn(await firstLink(test));
    // 127.0.0.1 holds no passkey, so the passphrase is all that is offered.
    await page.goto(`${test.url}/admin/setup#${code}`);
    await page.getByText('Readers see it unless you give an alias').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('root');
    // What becomes public without one.
    await page.getByPlaceholder('root').waitFor();
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
    const on = page.getByRole('button', { name: 'Continue' });
    expect(await on.isDisabled()).to.equal(true);
    await page.getByLabel('I have saved these codes').check();
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
    // As apps show it, with what a copy brings along.
    const digits = codeOf(test, secret);
    await app.fill('');
    await app.pressSequentially(
      `\u00a0${digits.slice(0, 3)} ${digits.slice(3)} `,
    );
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
    const field = dialog.getByLabel('Code of your authenticator app');
    const use = dialog.getByRole('button', { name: 'Use the passphrase' });
    const isWell = () =>
      field.evaluate((it: HTMLInputElement) => it.checkValidity());
    for (const wrong of ['12345', '123-4567', '123.456', '12345a']) {
      await field.fill(wrong);
      expect(await isWell(), wrong).to.equal(false);
    }
    const ofNow = codeOf(test, secret);
    for (const typed of [
      ...[
        '123\u202f456',
        '\u200e123 456',
        '12\u221234\u221256',
        '\uff11 23456',
      ],
      ...[`\t${ofNow}\u00a0`, [...ofNow].join('\u2011')],
    ]) {
      await field.fill(typed);
      expect(await isWell(), typed).to.equal(true);
    }
    await use.click();
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

  async function enrolled(name: string, width?: number) {
    // By name, as an address holds no passkey.
    const url = test.url.replace('127.0.0.1', 'localhost');
    const options = width === undefined ? {} : { width };
    const watched = await watchedPage(browser, { url }, options);
    const { page, context } = watched;
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: DEVICE,
    });
    const code = await inviteCode(test, name, 'admin');
    await page.goto(`${url}/admin/setup#${code}`);
    const make = { name: 'Make a passkey on this device' };
    await page.getByRole('button', make).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await page.getByLabel('I have saved these codes').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return { ...watched, url };
  }

  it('goes by a passkey, which also answers whether it is still you', async () => {
    const { page, context, faults, url } = await enrolled('wren');
    await page.goto(`${url}/admin/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    const signIn = { name: 'Sign in with a passkey' };
    await page.getByRole('button', signIn).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();

    test.clock.advance(FRESH_MS);
    await page.goto(`${url}/admin/operators`);
    await page.getByLabel('Name to sign in with').fill('third');
    await page.getByRole('button', { name: 'Make a link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is it still you?' });
    await dialog.getByRole('button', { name: /passkey/ }).click();
    await page.getByText(/\/admin\/setup#/).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('takes four taps on a phone from a notification to a decision', async () => {
    const { page, context, faults, url } = await enrolled('heron', PHONE);
    await page.goto(`${url}/admin/settings/notifications`);
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByLabel('Channel', { exact: true }).selectOption('webhook');
    await page
      .getByLabel('Address of the receiver')
      .fill(`${receiver.origin}/night`);
    await page.getByRole('button', { name: 'Save' }).click();
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
    await page.goto(`${url}/admin/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page
      .getByRole('button', { name: 'Sign in with a passkey' })
      .waitFor();

    const { message } = await publish(test, { title: 'At night' });
    await send(test, report({ message_id: message.id })).expect(201);
    test.clock.advance(MINUTE_MS);
    const { notificationJobs } = test.board.background;
    await notificationJobs.runOnce('notifications');
    const [got] = receiver.at('/night');
    if (got === undefined) throw new Error('no webhook came');
    const { items } = verified(secret, got).data;
    const link = items.find((it) => it.url.endsWith(`:${message.id}`))?.url;
    // First tap: the link.
    let taps = 1;
    await page.goto(link ?? '');
    const tap = async (name: string) => {
      taps += 1;
      await page.getByRole('button', { name, exact: true }).click();
    };
    await tap('Sign in with a passkey');
    taps += 1;
    await page.getByLabel('Public explanation').fill('It breaks no rule.');
    await tap('Record');
    await until('a decision', async () => {
      const { body } = await test.as().get(`/api/moderation/${message.id}`);
      return body.decisions.length === 1;
    });
    expect(taps).to.equal(4);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
