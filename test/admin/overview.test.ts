import { utcDay } from '../../server/clock.js';
import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import type { Chart } from '../../server/dashboard/commands/charts.js';
import type { Overview } from '../../server/dashboard/commands/overview.js';
import type { QueuePage } from '../../server/dashboard/commands/queue.js';
import { JobRun } from '../../server/db/entities/operations.js';
import { OperatorAudit } from '../../server/db/entities/operator-session.js';
import { RequestErrorDay } from '../../server/db/entities/stats.js';
import { peerRows } from '../browser/dashboard-rows.js';
import { send } from '../server/moderation/reports/reporting.js';
import { network, rate } from '../server/votes/rating.js';
import { publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import { rows } from '../support/rows.js';
import {
  done,
  givenOperators,
  operator,
  RULING,
  reported,
} from './operators.js';

describe('The overview of operators', () => {
  const { test, viewer } = givenOperators();

  const overview = async () => {
    const by = await operator(test, 'viewer');
    return await done<Overview>(by.ask('overview.read', {}));
  };

  it('shows the figures of the moment and what to do first', async () => {
    for (const n of [1, 2, 3]) await rate(test, 1, -1, network(n));
    await reported(test, 1);
    const it = await overview();
    expect(it.posts).to.deep.equal({ hour: 2, day: 2 });
    expect(it.latest.map(({ id, root }) => [id, root])).to.deep.equal([
      [2, 1],
      [1, 1],
    ]);
    expect(it.votes).to.deep.equal({ hour: 3, day: 3 });
    expect(it.reports).to.include({ received: 1, in_review: 0 });
    expect([it.hidden_topics, it.hidden_to_review]).to.deep.equal([1, 1]);
    expect(it.peers).to.deep.equal([]);
    expect(it.first.map(({ what }) => what)).to.deep.equal([
      'reports',
      'hidden_topics',
      // The test's board has neither of them.
      'backups',
      'contact',
    ]);
  });

  it('charts the last hour, day and thirty days', async () => {
    test.clock.advance(2 * 3_600_000);
    await publish(test, { title: 'Later' });
    const by = await operator(test, 'viewer');
    for (const [span, length, total] of [
      ['hour', 60, 1],
      ['day', 96, 3],
      ['month', 30, 3],
    ] as const) {
      const chart = await done<Chart>(by.ask('overview.chart', { span }));
      expect(chart.at).to.have.length(length);
      const messages = chart.series.messages ?? [];
      expect(messages).to.have.length(length);
      expect(messages.reduce<number>((sum, n) => sum + (n ?? 0), 0)).to.equal(
        total,
      );
      expect(messages.at(-1)).to.equal(span === 'month' ? 3 : 1);
    }
    const bad = await by.ask('overview.chart', { span: 'year' as never });
    expect(bad.body).to.include({ error: 'invalid_input', field: 'span' });
  });

  it('shows what the node runs on', async () => {
    await test.board.background.jobs.runOnce('sweep');
    const it = await done<CommandAnswers['system.read']>(
      viewer.ask('system.read', {}),
    );
    expect(it.release).to.match(/^\d+\.\d+\.\d+/);
    expect(it.memory_bytes).to.be.above(1_000_000);
    expect(it.disk_free?.bytes).to.be.above(0);
    expect(it.jobs.find(({ name }) => name === 'sweep')?.error).to.equal(null);
    expect(it.tables.find(({ name }) => name === 'message')?.bytes).to.be.above(
      0,
    );
    expect(it.log).to.include({ origin: 'board.test/log', size: 4 });
    expect(it.backups).to.equal(null);
    const lifted = it.limits.find(
      ({ name }) => name === 'writes_per_board_minute',
    );
    expect(lifted?.value).not.to.equal(lifted?.default);
  });

  it('hands peers to the mesh, and its refusals back', async () => {
    const by = await operator(test, 'admin');
    const before = await rows(test).count(OperatorAudit);
    expect(await done(viewer.ask('peer.list', {}))).to.deep.equal([]);
    const board = 'nowhere.example';
    const refused = await by.ask('peer.pause', { board }).expect(404);
    expect(refused.body.error).to.equal('unknown_board');
    expect(await rows(test).count(OperatorAudit)).to.equal(before);
  });

  it('holds no text of a removed message in what operators read', async () => {
    const word = 'quokka';
    const { message } = await publish(test, { title: word, body: word });
    await reported(test, message.id);
    const by = await operator(test, 'moderator');
    const eraser = await operator(test, 'admin');
    for (const n of [1, 2, 3]) await rate(test, message.id, -1, network(n));
    const remove = { action: 'remove', id: message.id, ...RULING } as const;
    await done(by.ask('decision.record', remove));
    const subject = `message:${message.id}`;
    for (const [name, input] of [
      ['queue.list', {}],
      ['item.read', { subject }],
      ['item.read', { subject: 'message:1' }],
      ['hidden.list', {}],
      ['decision.list', {}],
      ['poll.list', { state: 'all' }],
      ['report.list', { status: 'all' }],
      ['overview.read', {}],
      ['system.read', {}],
    ] as const) {
      const { status, text } = await by.ask(name, input as never);
      expect(status, name).to.equal(200);
      expect(text, name).not.to.include(word);
    }
    const sealed = { subject, sealed: true };
    const asked = await by.ask('item.read', sealed);
    expect(asked.text).to.include(word);
    const why = { reason: 'legal', explanation: 'A court order.' } as const;
    const erase = { action: 'erase', id: message.id, ...why } as const;
    await done(eraser.ask('decision.record', erase));
    expect((await by.ask('item.read', sealed)).text).not.to.include(word);
  });

  it('raises alarms for what is unusual, and ends them', async () => {
    const { jobs } = test.board.background;
    const alerts = async () => {
      await jobs.runOnce('watch');
      return (await overview()).alerts.map(({ name }) => name);
    };
    expect(await alerts()).to.deep.equal([]);
    for (let n = 0; n < 10; n += 1) {
      const { message } = await publish(test, { title: `Topic ${n}` });
      for (const voter of [1, 2, 3]) {
        await rate(test, message.id, -1, network(voter));
      }
    }
    test.clock.advance(60_000);
    expect(await alerts()).to.deep.equal(['hidden_topics']);
    test.clock.advance(2 * 3_600_000);
    expect(await alerts()).to.deep.equal([]);
    await rows(test).insert(JobRun, {
      ...{ name: 'backup', startedAt: 1, durationMs: 1, rows: 0 },
      ...{ error: 'Error ENOSPC', failures: 3, instance: '' },
    });
    test.clock.advance(60_000);
    expect((await alerts()).sort()).to.deep.equal([
      'backup_unverified',
      'job_failing',
    ]);
  });

  it('takes cards of selections as subjects', async () => {
    const { message } = await publish(test, { title: 'Liked' });
    await rate(test, message.id, 1, network(1));
    test.clock.advance(86_400_000);
    const by = await operator(test, 'moderator');
    await test.board.background.jobs.runOnce('daily_selection');
    const request_id = randomUUID();
    const error = { kind: 'selection_error', card_id: '1-1', reason: 'other' };
    await send(test, { request_id, ...error }).expect(201);
    const page = await done<QueuePage>(by.ask('queue.list', {}));
    const row = page.data.find(({ kind }) => kind === 'card');
    expect(row).to.include({
      subject: 'card:1-1',
      kind: 'card',
      message_id: message.id,
    });
    const subject = 'card:1-1';
    await done(by.ask('subject.claim', { subject }));
    await done(by.ask('item.read', { subject }));
    await done(
      by.ask('decision.record', {
        action: 'keep',
        id: message.id,
        reason: 'report_unfounded',
        explanation: 'The card is right.',
        report_ids: [request_id],
      }),
    );
    const { body } = await test.as().get(`/api/reports/${request_id}`);
    expect(body).to.include({ status: 'resolved', card_id: '1-1' });
  });

  it('counts failures apart from refusals', async () => {
    const before = (await overview()).errors_today;
    await test.as().get('/api/threads/99').expect(404);
    const day = utcDay(test.clock.now());
    const lost = { operation: 'readThread', code: 'unavailable', total: 2 };
    await rows(test).insert(RequestErrorDay, { day, ...lost });
    const { failed, refused } = (await overview()).errors_today;
    expect([failed - before.failed, refused - before.refused]).to.deep.equal([
      ...[2, 1],
    ]);
  });

  it('names a schema of another release and boards to confirm', async () => {
    await peerRows(test, ['fern.example'], []);
    const { writes } = test.board.context;
    await writes.query(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)',
    );
    const { first } = await overview();
    const place = (name: string) => first.findIndex((it) => it.what === name);
    expect(first[place('schema')]).to.include({ count: 1, page: 'system' });
    expect(first[place('unconfirmed')]).to.include({ count: 1, page: 'mesh' });
    // What may break a board comes before what only waits for somebody.
    expect(place('schema')).to.be.below(place('unconfirmed'));
  });
});
