import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { Receiver, verified } from '../admin/webhook-receiver.js';
import { report, send } from '../server/moderation/reports/reporting.js';
import type { TestBoard } from '../support/board.js';
import { openBrowser } from '../support/browser.js';
import { TestClock } from '../support/clock.js';
import { freePort } from '../support/free-port.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import { enrolled } from './dashboard-enrolled.js';
import { dashboardBoard } from './dashboard-open.js';

const MINUTE_MS = 60_000;
const PHONE = 360;

describe('A notification at night', () => {
  let browser: Browser;
  let receiver: Receiver;
  let test: TestBoard;

  before(async () => {
    browser = await openBrowser();
    receiver = await Receiver.start();
    const port = String(await freePort());
    test = await dashboardBoard(
      {
        ...{ PORT: port, BASE_URL: `http://localhost:${port}` },
        WEBHOOK_PRIVATE_ORIGINS: receiver.origin,
      },
      new TestClock(Date.now()),
    );
  });
  after(async () => {
    await browser?.close();
    await test?.stop();
    await receiver?.stop();
  });

  it('leads to a recorded decision in four taps on a phone', async () => {
    const { page, context, faults, url } = await enrolled(browser, test, {
      width: PHONE,
    });
    await page.goto(`${url}/admin/settings/notifications`);
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByLabel('Way').selectOption('webhook');
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
