import type { CommandInput } from '../../server/dashboard/all-commands.js';
import type { Item } from '../../server/dashboard/commands/item.js';
import type { QueuePage } from '../../server/dashboard/commands/queue.js';
import { reportedRows } from '../browser/dashboard-rows.js';
import { openPoll, PROPOSAL } from '../server/polls/polling.js';
import { network, rate } from '../server/votes/rating.js';
import { BASE_URL } from '../support/board.js';
import { FULL } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { Browser, setUp } from './access-browser.js';
import { inviteCode } from './access-link.js';
import {
  done,
  givenOperators,
  operator,
  RULING,
  reported,
  type SignedInOperator,
  STAYS,
} from './operators.js';

const WAITING = FULL ? 10_000 : 1000;

describe('What waits for operators', () => {
  const { test, admin, moderator, viewer } = givenOperators();

  const posted = async () =>
    (await publish(test, { reply_to: 1, body: 'A reply.' })).message.id;
  const waiting = (by = viewer) => done<QueuePage>(by.ask('queue.list', {}));
  const decide = (input: CommandInput<'decision.record'>, by = moderator) =>
    done<{ decision: { id: number } }>(by.ask('decision.record', input));
  const statusOf = async (report: string) =>
    (await test.as().get(`/api/reports/${report}`)).body.status;

  it('groups reports by subject and settles them with a decision', async () => {
    const [id, other] = [await posted(), await posted()];
    const [subject, second] = [`message:${id}`, `message:${other}`];
    const ids = [await reported(test, id), await reported(test, id)];
    test.clock.advance(1000);
    const dismissed = [await reported(test, other)];
    const page = await waiting();
    expect(page.data.map((row) => [row.subject, row.reports])).to.deep.equal([
      [subject, 2],
      [second, 1],
    ]);
    const totals = { topic: 0, message: 2, card: 0, poll: 0 };
    expect(page.totals).to.deep.equal(totals);
    const [row] = page.data;
    expect(row).to.include({ kind: 'message', excerpt: 'A reply.' });
    await done(moderator.ask('subject.claim', { subject }));
    expect(await statusOf(ids[0] ?? '')).to.equal('in_review');
    const taken = await admin.ask('subject.claim', { subject }).expect(409);
    expect(taken.body.current).to.include({ operator: 'Mo', mine: false });
    const over = { subject, take_over: true };
    const late = await admin.ask('subject.claim', { ...over, seen: 'Vi' });
    expect([late.status, late.body.current.operator]).to.eql([409, 'Mo']);
    for (const seen of ['\0', '\ud800', ' ']) {
      await admin.ask('subject.claim', { ...over, seen }).expect(400);
    }
    await done(admin.ask('subject.claim', { ...over, seen: 'Mo' }));
    await done(moderator.ask('subject.claim', over));
    const mine = await done<QueuePage>(
      moderator.ask('queue.list', { claimed: 'me' }),
    );
    expect(mine.data.map((one) => one.subject)).to.deep.equal([subject]);
    await done(moderator.ask('subject.unclaim', { subject }));
    expect(await statusOf(ids[0] ?? '')).to.equal('received');
    await decide({ action: 'remove', id, ...RULING, report_ids: ids });
    for (const report of ids) {
      const { body } = await test.as().get(`/api/reports/${report}`);
      expect(body).to.include({ status: 'resolved' });
      expect(body.decision_url).to.include(`/api/moderation/${id}`);
    }
    const settled = { report_ids: dismissed, as: 'dismissed' } as const;
    await done(moderator.ask('report.settle', settled));
    await moderator.ask('report.settle', settled).expect(409);
    expect((await waiting()).data).to.deep.equal([]);
  });

  it('is reopened by an appeal', async () => {
    const id = await posted();
    const subject = `message:${id}`;
    const report = await reported(test, id);
    const why = { ...RULING, report_ids: [report] };
    const { decision } = await decide({ action: 'remove', id, ...why });
    test.clock.advance(1000);
    const more = { kind: 'appeal', reason: 'other' };
    const appeal = await reported(test, id, more);
    expect((await waiting()).data[0]).to.include({ subject, appeals: 1 });
    expect(await statusOf(report)).to.equal('received');
    const item = await done<Item>(
      moderator.ask('item.read', { subject, sealed: true }),
    );
    expect(item.sealed).to.include({ body: 'A reply.' });
    expect(item.message.body).to.equal(null);
    expect(item.last_decision_id).to.equal(decision.id);
    await decide({
      ...{ action: 'reinstate', id, report_ids: [report, appeal] },
      ...{ supersedes: decision.id, seen: decision.id },
      reason: 'decided_by_mistake',
      explanation: 'The appeal is right.',
    });
    expect((await waiting()).data).to.deep.equal([]);
  });

  it('ends claims with what they were for', async () => {
    const claimOf = async (subject: string) => {
      const { claim } = await done<Item>(admin.ask('item.read', { subject }));
      return claim?.operator ?? null;
    };
    const ends: Record<string, (id: number, report: string) => unknown> = {
      'a decision of anybody': (id) =>
        decide({ action: 'keep', id, ...STAYS }, admin),
      'the last settlement': (_id, report) =>
        done(
          admin.ask('report.settle', { report_ids: [report], as: 'dismissed' }),
        ),
      'half an hour without an action': () => test.clock.advance(30 * 60_000),
    };
    for (const [why, end] of Object.entries(ends)) {
      const id = await posted();
      const subject = `message:${id}`;
      const report = await reported(test, id);
      await done(moderator.ask('subject.claim', { subject }));
      // Each action there keeps it for another half hour.
      test.clock.advance(29 * 60_000);
      await done(moderator.ask('note.add', { subject, note: why }));
      test.clock.advance(29 * 60_000);
      expect(await claimOf(subject), why).to.equal('Mo');
      await end(id, report);
      expect(await claimOf(subject), why).to.equal(null);
      await test.board.background.jobs.runOnce('watch');
      expect(await statusOf(report), why).not.to.equal('in_review');
      const nobody = { claimed: 'nobody', status: 'open' } as const;
      await reported(test, id);
      const page = await done<QueuePage>(admin.ask('queue.list', nobody));
      expect(page.data.map((row) => row.subject)).to.include(subject);
      await done(admin.ask('subject.claim', { subject }));
      await decide({ action: 'remove', id, ...RULING }, admin);
    }
  });

  it('ends the claims of who is gone or may decide no more', async () => {
    const boss = await operator(test, 'admin');
    const send = (to: string, { cookie }: SignedInOperator, body = {}) =>
      test
        .as()
        .post(`/admin/api${to}`)
        .set({ Cookie: cookie, Origin: BASE_URL })
        .send(body)
        .expect(200);
    const ways: Record<string, (by: SignedInOperator) => unknown> = {
      disabled: ({ id }) => send(`/operators/${id}/disable`, boss),
      lowered: (by) =>
        send(`/operators/${by.id}/role`, boss, { role: 'viewer' }),
      'signed out': (by) => send('/sign-out', by),
      'signed out by an admin': ({ id }) =>
        send(`/operators/${id}/sign-out`, boss),
      'replaced at the same browser': async ({ cookie }) => {
        const browser = Object.assign(new Browser(test), { cookie });
        await setUp(browser, await inviteCode(test, 'next', 'moderator'));
      },
    };
    for (const [how, go] of Object.entries(ways)) {
      const by = await operator(test, 'moderator', how);
      const id = await posted();
      const subject = `message:${id}`;
      const report = await reported(test, id);
      await done(by.ask('subject.claim', { subject }));
      await go(by);
      expect(await statusOf(report), how).to.equal('received');
      const { claim } = await done<Item>(admin.ask('item.read', { subject }));
      expect(claim, how).to.equal(null);
    }
  });

  it("shows viewers no reporter's text and no sealed one", async () => {
    const id = await posted();
    const subject = `message:${id}`;
    await reported(test, id, { detail: 'My secret sentence.' });
    for (const [name, input] of [
      ['queue.list', {}],
      ['item.read', { subject }],
      ['report.list', { status: 'all' }],
      ['hidden.list', {}],
    ] as const) {
      const seen = await viewer.ask(name, input as never).expect(200);
      expect(seen.text, name).not.to.include('secret');
    }
    const sealed = { subject, sealed: true };
    expect((await viewer.ask('item.read', sealed)).status).to.equal(403);
    const read = await moderator.ask('item.read', { subject });
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
    expect(item.context[0]?.id).to.equal(2);
    expect(item.signature).to.include({ status: 'guest', proof_url: null });
    for (const subject of ['message:999', 'poll:9', 'card:1-1']) {
      const missing = await viewer.ask('item.read', { subject });
      expect(missing.status, subject).to.equal(404);
    }
    const bad = await viewer.ask('item.read', { subject: 'peer:1' });
    expect(bad.body).to.include({ error: 'invalid_input', field: 'subject' });
  });

  it('awaits a decision on a proposal that ended, and records one', async () => {
    const { id } = await openPoll(test, { ...PROPOSAL, duration_hours: 24 });
    type Polls = { data: { poll: { id: number } }[] };
    const none = await done<Polls>(viewer.ask('poll.list', {}));
    expect(none.data).to.deep.equal([]);
    test.clock.advance(25 * 3_600_000);
    const later = await operator(test, 'admin');
    const due = await done<Polls>(later.ask('poll.list', {}));
    expect(due.data.map(({ poll }) => poll.id)).to.deep.equal([id]);
    expect((await waiting(later)).data.at(-1)).to.include({
      subject: `poll:${id}`,
      kind: 'poll',
    });
    const input = {
      action: 'poll_decision',
      id,
      outcome: 'accepted',
      explanation: 'So be it.',
    } as const;
    const made = await decide(input, later);
    const { body } = await test.as().get(`/api/polls/${id}`);
    expect(body.decision).to.include({ outcome: 'accepted' });
    await later.ask('decision.record', input).expect(409);
    const changed = { ...input, outcome: 'declined' } as const;
    const supersedes = made.decision.id;
    await decide({ ...changed, supersedes }, later);
    const second = await test.as().get(`/api/polls/${id}`);
    expect(second.body.decision.outcome).to.equal('declined');
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

describe('A long queue', () => {
  const test = givenBoard({ lifted: true, ledger: false });

  it('is paged without a gap or a repeat', async () => {
    const viewer = await operator(test, 'viewer', 'Vi');
    const ids = await reportedRows(
      test,
      Array.from({ length: WAITING }, (_, n) => ({
        ...{ title: `Topic ${n}`, name: 'a', body: 'b' },
      })),
    );
    const seen: string[] = [];
    let after: QueuePage['next'] = null;
    let pages = 0;
    do {
      const page: QueuePage = await done<QueuePage>(
        viewer.ask('queue.list', {
          limit: 100,
          ...(after === null ? {} : { after }),
        }),
      );
      seen.push(...page.data.map(({ subject }) => subject));
      after = page.next;
      pages += 1;
    } while (after !== null);
    expect(seen).to.have.members(ids.map((id) => `message:${id}`));
    expect(pages).to.equal(WAITING / 100);
  });

  it('can begin with what has the most reports', async () => {
    const viewer = await operator(test, 'viewer', 'Vera');
    const list = (more: object) =>
      done<QueuePage>(viewer.ask('queue.list', { limit: 2, ...more }));
    const rows = (await list({ limit: 5 })).data;
    const [oldest, , two = oldest, , three = oldest] = rows;
    const ids = [two, three].map((row) => row?.message_id ?? 0);
    for (const id of [...ids, ids[1] ?? 0]) await reported(test, id);
    const order = 'most_reports';
    const first = await list({ order });
    const counts = first.data.map((row) => [row.message_id, row.reports]);
    expect(counts).to.deep.equal([
      [ids[1], 3],
      [ids[0], 2],
    ]);
    const second = await list({ order, after: first.next });
    expect(second.data[0]).to.deep.equal(oldest);
  });
});
