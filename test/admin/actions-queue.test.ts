import { expect } from 'chai';
import type { Item, QueuePage } from '../../server/dashboard/schemas/views.js';
import { openPoll, PROPOSAL } from '../server/polls/polling.js';
import { network, rate } from '../server/votes/rating.js';
import type { TestBoard } from '../support/board.js';
import { forEachTest } from '../support/hooks.js';
import {
  desksOfATopic,
  RULING,
  reported,
  stateOf,
} from './actions-desk-set.js';
import { done, operator, type SignedInOperator } from './actions-operator.js';

describe('What waits for operators', () => {
  let test: TestBoard;
  let admin: SignedInOperator;
  let moderator: SignedInOperator;
  let viewer: SignedInOperator;

  forEachTest(desksOfATopic, (made) => {
    ({ test, admin, moderator, viewer } = made);
  });

  it('groups reports by subject and settles them with a decision', async () => {
    const ids = [await reported(test, 2), await reported(test, 2)];
    test.clock.advance(1000);
    ids.push(await reported(test, 1));
    const page = await done<QueuePage>(viewer.ask('queue.list', {}));
    expect(page.data.map((row) => [row.subject, row.reports])).to.deep.equal([
      ['message:2', 2],
      ['message:1', 1],
    ]);
    expect(page.totals).to.deep.equal({
      topic: 1,
      message: 1,
      card: 0,
      poll: 0,
    });
    const [row] = page.data;
    expect(row).to.include({ kind: 'message', excerpt: 'A reply.' });
    await done(moderator.ask('subject.claim', { subject: 'message:2' }));
    const claimed = await test.as().get(`/api/reports/${ids[0]}`);
    expect(claimed.body.status).to.equal('in_review');
    const taken = await admin.ask('subject.claim', { subject: 'message:2' });
    expect(taken.status).to.equal(409);
    expect(taken.body.current).to.include({ operator: 'Mo', mine: false });
    const mine = await done<QueuePage>(
      moderator.ask('queue.list', { claimed: 'me' }),
    );
    expect(mine.data.map(({ subject }) => subject)).to.deep.equal([
      'message:2',
    ]);
    await done(moderator.ask('subject.unclaim', { subject: 'message:2' }));
    const waits = await test.as().get(`/api/reports/${ids[0]}`);
    expect(waits.body.status).to.equal('received');
    await done(
      moderator.ask('decision.record', {
        action: 'remove',
        id: 2,
        ...RULING,
        report_ids: ids.slice(0, 2),
      }),
    );
    for (const id of ids.slice(0, 2)) {
      const { body } = await test.as().get(`/api/reports/${id}`);
      expect(body).to.include({ status: 'resolved' });
      expect(body.decision_url).to.match(/\/api\/moderation\/2$/);
    }
    const dismissed = { report_ids: ids.slice(2), as: 'dismissed' } as const;
    await done(moderator.ask('report.settle', dismissed));
    const again = await moderator.ask('report.settle', dismissed);
    expect(again.status).to.equal(409);
    const left = await done<QueuePage>(viewer.ask('queue.list', {}));
    expect(left.data).to.deep.equal([]);
  });

  it('is reopened by an appeal', async () => {
    const id = await reported(test, 2);
    await done(
      moderator.ask('decision.record', {
        action: 'remove',
        id: 2,
        ...RULING,
        report_ids: [id],
      }),
    );
    test.clock.advance(1000);
    const appeal = await reported(test, 2, { kind: 'appeal', reason: 'other' });
    const page = await done<QueuePage>(viewer.ask('queue.list', {}));
    expect(page.data[0]).to.include({ subject: 'message:2', appeals: 1 });
    const { body } = await test.as().get(`/api/reports/${id}`);
    expect(body.status).to.equal('received');
    const item = await done<Item>(
      moderator.ask('item.read', { subject: 'message:2', sealed: true }),
    );
    expect(item.sealed).to.include({ body: 'A reply.' });
    expect(item.message.body).to.equal(null);
    expect(item.last_decision_id).to.equal(1);
    await done(
      moderator.ask('decision.record', {
        action: 'reinstate',
        id: 2,
        reason: 'decided_by_mistake',
        explanation: 'The appeal is right.',
        supersedes: 1,
        report_ids: [id, appeal],
        seen: 1,
      }),
    );
    const left = await done<QueuePage>(viewer.ask('queue.list', {}));
    expect(left.data).to.deep.equal([]);
  });

  it("shows viewers no reporter's text and no sealed one", async () => {
    await reported(test, 2, { detail: 'My secret sentence.' });
    for (const [name, input] of [
      ['queue.list', {}],
      ['item.read', { subject: 'message:2' }],
      ['report.list', { status: 'all' }],
      ['hidden.list', {}],
    ] as const) {
      const seen = await viewer.ask(name, input as never);
      expect(seen.status).to.equal(200);
      expect(seen.text, name).not.to.include('secret');
    }
    const sealed = { subject: 'message:2', sealed: true };
    expect((await viewer.ask('item.read', sealed)).status).to.equal(403);
    const read = await moderator.ask('item.read', { subject: 'message:2' });
    expect(read.text).to.include('My secret sentence.');
  });

  it('shows an item with all its evidence', async () => {
    for (const [n, vote] of [1, -1, -1].entries()) {
      test.clock.advance(1000);
      await rate(test, 1, vote as 1 | -1, network(10 + n));
    }
    const item = await done<Item>(
      viewer.ask('item.read', { subject: 'message:1' }),
    );
    expect(item.message).to.include({
      id: 1,
      title: 'A topic',
      body: 'The raw *body*.',
      state: 'visible',
      score: -1,
    });
    expect(item.votes.map(({ value }) => value)).to.deep.equal([1, -1, -1]);
    expect(Object.keys(item.votes[0] ?? {})).to.deep.equal(['at', 'value']);
    expect(item.context.map(({ id }) => id)).to.deep.equal([2]);
    expect(item.signature).to.include({ status: 'guest', proof_url: null });
    for (const subject of ['message:99', 'poll:9', 'card:1-1']) {
      const missing = await viewer.ask('item.read', { subject });
      expect(missing.status, subject).to.equal(404);
    }
    const bad = await viewer.ask('item.read', { subject: 'peer:1' });
    expect(bad.body).to.include({ error: 'invalid_input', field: 'subject' });
  });

  it('lists hidden topics with their votes, and restores', async () => {
    for (const n of [1, 2, 3]) await rate(test, 1, -1, network(n));
    type Hidden = { data: { id: number; votes: object[] }[] };
    const page = await done<Hidden>(viewer.ask('hidden.list', {}));
    expect(page.data.map(({ id }) => id)).to.deep.equal([1]);
    expect(page.data[0]?.votes).to.have.length(3);
    await done(
      moderator.ask('decision.record', {
        action: 'restore_visibility',
        id: 1,
        reason: 'new_information',
        explanation: 'Three networks in a minute.',
        seen: null,
      }),
    );
    const left = await done<Hidden>(viewer.ask('hidden.list', {}));
    expect(left.data).to.deep.equal([]);
    expect(await stateOf(test, 1)).to.equal('restored');
  });

  it('awaits a decision on a proposal that ended, and records one', async () => {
    const { id } = await openPoll(test, { ...PROPOSAL, duration_hours: 24 });
    type Polls = { data: { poll: { id: number } }[] };
    const none = await done<Polls>(viewer.ask('poll.list', {}));
    expect(none.data).to.deep.equal([]);
    test.clock.advance(25 * 3_600_000);
    admin = await operator(test, 'admin');
    const due = await done<Polls>(admin.ask('poll.list', {}));
    expect(due.data.map(({ poll }) => poll.id)).to.deep.equal([id]);
    const queue = await done<QueuePage>(admin.ask('queue.list', {}));
    expect(queue.data[0]).to.include({ subject: `poll:${id}`, kind: 'poll' });
    const input = {
      action: 'poll_decision',
      id,
      outcome: 'accepted',
      explanation: 'So be it.',
    } as const;
    const made = await done<{ decision: { id: number } }>(
      admin.ask('decision.record', input),
    );
    const { body } = await test.as().get(`/api/polls/${id}`);
    expect(body.decision).to.include({ outcome: 'accepted' });
    const again = await admin.ask('decision.record', input);
    expect(again.status).to.equal(409);
    const changed = { ...input, outcome: 'declined' } as const;
    const supersedes = made.decision.id;
    await done(admin.ask('decision.record', { ...changed, supersedes }));
    const anew = await test.as().get(`/api/polls/${id}`);
    expect(anew.body.decision.outcome).to.equal('declined');
    const events = await test.as().get(`/api/polls/updates?poll_id=${id}`);
    const kinds = events.body.data.map(({ kind }: { kind: string }) => kind);
    expect(kinds.slice(-2)).to.deep.equal([
      'decision_recorded',
      'decision_recorded',
    ]);
    const log = await test.as().get('/api/moderation?action=poll_decision');
    expect(log.body.data[0]).to.include({ poll_id: id, outcome: 'declined' });
  });
});
