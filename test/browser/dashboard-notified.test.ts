import { NotificationDelivery } from '../../server/db/entities/notification.js';
import { Receiver, verified } from '../admin/webhook-receiver.js';
import { report, send } from '../server/moderation/reports/reporting.js';
import { network } from '../server/votes/rating.js';
import { TestClock } from '../support/clock.js';
import { given } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import { until } from '../support/until.js';
import {
  atItsAddress,
  axeFaults,
  deskOf,
  givenDashboard,
  openAt,
  overflow,
} from './dashboard-open.js';

const MINUTE_MS = 60_000;
const PHONE = 360;

describe('Notifications at the dashboard', () => {
  const receiver = given(() => Receiver.start());
  let reporters = 0;

  const { browser, test } = givenDashboard(
    async () => ({
      ...(await atItsAddress()),
      WEBHOOK_PRIVATE_ORIGINS: receiver.origin,
    }),
    new TestClock(Date.now()),
  );
  before(() =>
    publish(test, { title: 'A topic', body: 'The casino of a friend.' }),
  );

  const run = async (job: 'notifications' | 'watch_rules') => {
    test.clock.advance(MINUTE_MS);
    await test.board.background.notificationJobs.runOnce(job);
  };
  const reported = async (id: number) => {
    reporters += 1;
    const body = report({ message_id: id });
    await send(test, body, network(900 + reporters)).expect(201);
  };

  it('are set up, tried and sent again on their page', async () => {
    const desk = await deskOf(browser, test, 'admin', { width: PHONE });
    const { page } = desk;
    await openAt(desk, test, '/settings/notifications');
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByLabel('Channel', { exact: true }).selectOption('webhook');
    await page.getByLabel('For', { exact: true }).selectOption('board');
    await page.getByLabel('Address of the receiver').fill('http://a.example/');
    expect(await axeFaults(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/WEBHOOK_PRIVATE_ORIGINS/).waitFor();
    const address = page.getByLabel('Address of the receiver');
    expect(await address.getAttribute('aria-invalid')).to.equal('true');
    const hook = `${receiver.origin}/hook`;
    await page.getByLabel('Address of the receiver').fill(hook);
    await page.getByRole('button', { name: 'Save' }).click();
    const secret = await page.getByText(/^whsec_/).textContent();
    await page.getByRole('button', { name: 'I have saved it' }).click();

    receiver.answers.set('/hook', (res) => res.writeHead(500).end());
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.locator('.tag', { hasText: 'Waiting' }).first().waitFor();
    await run('notifications');
    await page.getByText('Http 500.').waitFor();
    await rows(test).updateAll(NotificationDelivery, { state: 'dead' });
    receiver.answers.clear();
    await page.reload();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.locator('.tag', { hasText: 'Waiting' }).first().waitFor();
    await run('notifications');
    await page.locator('.tag', { hasText: 'Sent' }).first().waitFor();
    const [failed, sent] = receiver.at('/hook');
    if (failed === undefined || sent === undefined) throw new Error('no hook');
    expect(sent.headers['webhook-id']).to.equal(failed.headers['webhook-id']);
    expect(verified(secret ?? '', sent).type).to.equal('reserve-board.test');

    await openAt(desk, test, '/settings/notifications?state=sent');
    await page.locator('.tag', { hasText: 'Sent' }).first().waitFor();
    expect(await axeFaults(page)).to.deep.equal([]);
    expect(await overflow(page)).to.equal(0);
    await page.getByRole('button', { name: 'Remove the channel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove the channel' });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Nobody is notified yet.').waitFor();
    expect(desk.faults).to.deep.equal([]);
    await desk.context.close();
  });

  it('are shown by an open dashboard to whom they are for', async () => {
    const desk = await deskOf(browser, test, 'moderator');
    const { page, context } = desk;
    await context.grantPermissions(['notifications'], { origin: test.url });
    await page.addInitScript(() => {
      const shown: string[] = [];
      Object.assign(globalThis, { shown });
      const real = globalThis.Notification;
      globalThis.Notification = new Proxy(real, {
        construct(target, [title, options]) {
          shown.push(`${title}: ${options.body}`);
          return new target(title, options);
        },
      });
    });
    await openAt(desk, test, '/settings/notifications');
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByLabel('Channel', { exact: true }).selectOption('browser');
    await page.getByLabel('New appeal').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Send a test' }).waitFor();
    const other = report({ message_id: 1, kind: 'appeal' });
    await send(test, other, network(899)).expect(201);
    await reported(1);
    await run('notifications');
    await until(
      'a notification',
      async () => (await page.evaluate('shown.length')) !== 0,
    );
    expect(await page.evaluate('shown')).to.deep.equal([
      'Operators: A new report',
    ]);
    expect(desk.faults).to.deep.equal([]);
    await context.close();
  });

  it('come of watch rules, which are tried before they are saved', async () => {
    const desk = await deskOf(browser, test, 'admin', { width: PHONE });
    const { page } = desk;
    await openAt(desk, test, '/settings/watch-rules');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('Name').fill('Gambling');
    await page.getByLabel('Words or phrases').fill('casino\nfree spins');
    await page.getByRole('button', { name: 'Try on the last 30 days' }).click();
    await page.getByText(/^1 match in/).waitFor();
    await page.getByRole('link', { name: 'A topic' }).waitFor();
    expect(await axeFaults(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Words: casino, free spins').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Words or phrases').fill('casino');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Words: casino', { exact: true }).waitFor();
    await openAt(desk, test, '/settings/watch-rules');
    await page.getByRole('button', { name: 'Versions' }).click();
    const versions = page.getByRole('region', { name: 'List of versions' });
    await versions.getByText('Words: casino, free spins').first().waitFor();
    expect(await axeFaults(page)).to.deep.equal([]);
    expect(await overflow(page)).to.equal(0);

    const { message } = await publish(test, {
      title: 'New',
      body: 'A casino.',
    });
    await run('watch_rules');
    await openAt(desk, test, `/item/message:${message.id}`);
    await page.getByText(/watch rule "Gambling" \(version 2\)/).waitFor();
    expect(desk.faults).to.deep.equal([]);
    await desk.context.close();
  });
});
