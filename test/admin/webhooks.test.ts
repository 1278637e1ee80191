import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import type { DeliverySeen } from '../../server/dashboard/commands/deliveries.js';
import { NotificationChannel } from '../../server/db/entities/notification.js';
import type { NotificationKind } from '../../server/db/states.js';
import { startBoard } from '../support/board.js';
import { TestClock } from '../support/clock.js';
import { given } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import { until } from '../support/until.js';
import {
  done,
  operator,
  reported,
  type SignedInOperator,
} from './operators.js';
import { Receiver, verified } from './webhook-receiver.js';

const MINUTE_MS = 60_000;
const KINDS: NotificationKind[] = ['report', 'appeal', 'alert'];

describe('Webhooks of notifications', () => {
  const { receiver, test } = given(async () => {
    const made = await Receiver.start();
    const board = await startBoard({
      // The library refuses what is five minutes off; the first tests take some.
      clock: new TestClock(Date.now() - 4 * MINUTE_MS),
      lifted: true,
      env: { WEBHOOK_PRIVATE_ORIGINS: made.origin },
    });
    const stop = async () => {
      await board.stop();
      await made.stop();
    };
    return { receiver: made, test: board, stop };
  });
  let admin: SignedInOperator;

  before(() =>
    publish(test, { title: 'Zebra', body: 'quokka', name: 'Wombat' }),
  );
  beforeEach(async () => {
    await rows(test).deleteAll(NotificationChannel);
    await run();
    receiver.received.length = 0;
    receiver.answers.clear();
    admin = await operator(test, 'admin');
  });

  const webhook = (path: string, more: object = {}) =>
    done<CommandAnswers['notification.save']>(
      admin.ask('notification.save', {
        ...{ of: 'board', way: 'webhook', kinds: KINDS },
        url: `${receiver.origin}${path}`,
        ...more,
      }),
    );
  const run = async () => {
    test.clock.advance(MINUTE_MS);
    const { notificationJobs } = test.board.background;
    expect(await notificationJobs.runOnce('notifications')).to.equal('ran');
  };
  const deliveries = async (): Promise<DeliverySeen[]> =>
    (
      await done<CommandAnswers['notification.deliveries']>(
        admin.ask('notification.deliveries', {}),
      )
    ).data;

  it('are signed as another library checks it, and hold no content', async () => {
    const { secret } = await webhook('/board');
    await reported(test, 1, { detail: 'platypus' });
    await run();
    const [got] = receiver.at('/board');
    if (got === undefined || secret === null) throw new Error('nothing came');
    const { type, data } = verified(secret, got);
    expect(type).to.equal('reserve-board.notification');
    expect(data.total).to.equal(1);
    expect(data.items[0]).to.include({
      kind: 'report',
      url: 'http://board.test/admin/item/message:1',
    });
    expect(got.text).not.to.match(/zebra|quokka|wombat|platypus/i);
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(() => verified(other, got)).to.throw();
    await run();
    expect(receiver.received).to.have.length(1);
  });

  it('that hang end with the node, and are sent again by the next', async () => {
    receiver.answers.set('/hangs', () => {});
    const { secret } = await webhook('/hangs');
    await reported(test, 1);
    test.clock.advance(MINUTE_MS);
    const { notificationJobs } = test.board.background;
    const hanging = notificationJobs.runOnce('notifications');
    await until('the webhook', () => receiver.at('/hangs').length === 1);
    // Other jobs and requests of the board do not wait for it.
    expect(await test.board.background.jobs.runOnce('sweep')).to.equal('ran');
    await test.as().get('/api/threads').expect(200);
    await test.restart();
    await hanging;
    receiver.answers.clear();
    await run();
    const [before, after] = receiver.at('/hangs');
    if (before === undefined || after === undefined)
      throw new Error('one only');
    expect(after.headers['webhook-id']).to.equal(before.headers['webhook-id']);
    expect(after.text).to.equal(before.text);
    verified(secret ?? '', after);
  });

  it('keep their secret sealed, and out of the trail', async () => {
    const { id, secret } = await webhook('/hidden-path');
    const { writes } = test.board.context;
    const dump = JSON.stringify(
      await writes.query(
        `SELECT c.secret::text, a.before, a.after
         FROM notification_channel c, operator_audit a`,
      ),
    );
    const raw = Buffer.from((secret ?? '').replace('whsec_', ''), 'base64');
    expect(raw).to.have.length(32);
    expect(dump).not.to.include(raw.toString('hex'));
    expect(dump).not.to.include(raw.toString('base64'));
    expect(dump).not.to.include('hidden-path');
    const list = await done(admin.ask('notification.list', {}));
    expect(JSON.stringify(list)).not.to.include('whsec_');
    const again = await webhook('/hidden-path', { id, new_secret: true });
    expect(again.secret)
      .to.match(/^whsec_/)
      .and.not.equal(secret);
    const same = await webhook('/hidden-path', { id });
    expect(same.secret).to.equal(null);
  });

  it('are sent by one process of several', async () => {
    const { databaseUrl, clock } = test;
    const env = { WEBHOOK_PRIVATE_ORIGINS: receiver.origin };
    const second = await startBoard({ databaseUrl, clock, env });
    try {
      await webhook('/once');
      for (let n = 0; n < 5; n += 1) await reported(test, 1);
      test.clock.advance(MINUTE_MS);
      const outcomes = await Promise.all(
        [test, second].map(({ board }) =>
          board.background.notificationJobs.runOnce('notifications'),
        ),
      );
      expect(outcomes.sort()).to.deep.equal(['ran', 'skipped']);
      const [got, ...others] = receiver.at('/once');
      expect(others).to.deep.equal([]);
      expect(JSON.parse(got?.text ?? '{}').data.total).to.equal(5);
    } finally {
      await second.stop();
    }
  });

  it('are set by admins, to addresses that may be reached', async () => {
    const moderator = await operator(test, 'moderator', 'Mo');
    const base = { way: 'webhook', kinds: KINDS } as const;
    const url = `${receiver.origin}/mine`;
    await moderator.ask('notification.save', { ...base, url }).expect(403);
    await moderator
      .ask('notification.save', { ...base, of: 'board', url })
      .expect(403);
    for (const bad of [
      ...[
        '',
        'ftp://a.example/',
        'http://a.example/',
        'https://u:p@a.example/',
      ],
      ...['https://a.example/#f', 'javascript:alert(1)', 'http://127.0.0.1:1/'],
    ]) {
      const { status, body } = await admin.ask('notification.save', {
        ...{ ...base, url: bad },
      });
      expect([status, body.field], bad).to.deep.equal([400, 'url']);
    }
    const { id } = await webhook('/boards');
    await moderator.ask('notification.remove', { id }).expect(404);
    await admin.ask('notification.remove', { id, seen: 1 }).expect(409);
    await moderator.ask('notification.test', { id }).expect(404);
    await done(admin.ask('notification.test', { id }));
    await admin.ask('notification.test', { id }).expect(429);
    const { body } = await test
      .as()
      .get(`/admin/api/audit?subject=notification:${id}`)
      .set('Cookie', admin.cookie);
    expect(body.data[0].text).to.equal(`webhook ${receiver.origin}`);
    await run();
    const [got] = receiver.at('/boards');
    expect(JSON.parse(got?.text ?? '{}').type).to.equal('reserve-board.test');
  });

  it('that fail are tried again under the same id, then wait for somebody', async () => {
    receiver.answers.set('/500', (res) => res.writeHead(500).end('private'));
    receiver.answers.set('/moved', (res) =>
      res.writeHead(302, { Location: `${receiver.origin}/target` }).end(),
    );
    receiver.answers.set('/reset', (res) => res.destroy());
    for (const path of ['/500', '/moved', '/reset', '/ok']) await webhook(path);
    await webhook('', { url: receiver.origin.replace('http:', 'https:') });
    await reported(test, 1);
    await run();
    const first = await deliveries();
    expect(
      first.map(({ state, error }) => [state, error]),
    ).to.have.deep.members([
      ['waiting', 'http_500'],
      ['waiting', 'redirected'],
      ['waiting', 'unreachable'],
      ['waiting', 'address_refused'],
      ['sent', null],
    ]);
    expect(receiver.at('/target')).to.deep.equal([]);
    expect(JSON.stringify(first)).not.to.include('private');
    for (let n = 0; n < 6; n += 1) {
      test.clock.advance(360 * MINUTE_MS);
      await run();
    }
    const tried = receiver.at('/500');
    expect(tried).to.have.length(7);
    const ids = new Set(tried.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).to.equal(1);
    admin = await operator(test, 'admin');
    const { data: dead } = await done<
      CommandAnswers['notification.deliveries']
    >(admin.ask('notification.deliveries', { state: 'dead' }));
    expect(dead).to.have.length(4);
    receiver.answers.clear();
    const failed = dead.find(({ error }) => error === 'http_500');
    const id = failed?.id ?? '';
    await done(admin.ask('notification.retry', { id }));
    await run();
    const now = (await deliveries()).find((it) => it.id === id);
    expect(now).to.include({ state: 'sent', error: null });
    expect(receiver.at('/500').at(-1)?.headers['webhook-id']).to.equal(id);
  });

  it('carry a line for chat programs: kinds, counts and one link', async () => {
    const { id } = await webhook('/chat');
    await done(admin.ask('notification.test', { id }));
    await run();
    await reported(test, 1);
    await run();
    for (let n = 0; n < 3; n += 1) await reported(test, 1);
    await run();
    const bodies = receiver
      .at('/chat')
      .map(({ text }): Record<string, unknown> => JSON.parse(text));
    expect(bodies.map(({ text }) => text)).to.deep.equal([
      'This is the test that you asked for. Notifications of board.test arrive here.',
      '[board.test] A new report: http://board.test/admin/item/message:1',
      '[board.test] 3 × A new report: http://board.test/admin',
    ]);
    for (const { text, content } of bodies) expect(content).to.equal(text);
  });
});
