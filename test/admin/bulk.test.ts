import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import type { BulkSeen } from '../../server/dashboard/commands/bulk.js';
import { network, rate } from '../server/votes/rating.js';
import { publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import {
  audited,
  begin,
  begun,
  copies,
  itemsOf,
  readAll,
  run,
  SPAM,
  undone,
} from './bulks.js';
import { done, givenOperators, reported, STAYS, stateOf } from './operators.js';

describe('One decision for many subjects', () => {
  const { test, admin, moderator, viewer } = givenOperators();

  it('is a decision, a log entry and an audit row for each', async () => {
    const ids = await copies(test, 20);
    for (const id of ids.slice(0, 3)) await reported(test, id);
    const asked = begin(moderator, { items: itemsOf(ids) });
    const made = await done<BulkSeen>(asked);
    expect(made).to.include({ total: 20, waiting: 20, state: 'open' });
    const first = await run(moderator, made.bulk, 7);
    expect(first).to.include({ waiting: 13, done: 7, state: 'open' });
    expect(first.settled.map(({ message_id }) => message_id)).to.deep.equal(
      ids.slice(0, 7),
    );
    const last = await run(moderator, made.bulk);
    expect(last).to.include({ waiting: 0, done: 20, state: 'done' });
    const { data } = await readAll(viewer, made.bulk);
    expect(new Set(data.map(({ decision_id }) => decision_id)).size).to.equal(
      20,
    );
    for (const { message_id, decision_id } of data) {
      const { body } = await test.as().get(`/api/moderation/${message_id}`);
      const [decision] = body.decisions;
      expect(body.state).to.equal('removed');
      expect(decision.id).to.equal(decision_id);
      expect(decision.explanation).to.equal(SPAM.explanation);
      expect(decision.operator).to.equal('Mo');
    }
    const removed = await audited(test, made.bulk, 'decision.remove');
    expect(removed).to.have.length(20);
    const { data: open } = await done<{ data: unknown[] }>(
      viewer.ask('queue.list', {}),
    );
    expect(open).to.deep.equal([]);
  });

  it('leaves hidden what ratings hid, and the trail tells of what', async () => {
    const ids: number[] = [];
    const long = 'A shop of ';
    for (const title of ['One shop', `${long.repeat(9)}ours`]) {
      const { message } = await publish(test, { title, body: 'Buy!' });
      ids.push(message.id);
      for (const n of [1, 2, 3]) await rate(test, message.id, -1, network(n));
    }
    const hide = { action: 'hide', reason: 'advertising' };
    const bulk = await begun(moderator, ids, hide);
    expect(await run(moderator, bulk)).to.include({ done: 2, refused: 0 });
    for (const id of ids) {
      const { body } = await test.as().get(`/api/thread/${id}`);
      expect(body.visibility).to.include({
        ...{ state: 'hidden_by_ratings', hidden_by_decision: true },
      });
      const { text } = await test.as().get(`/moderation?message=${id}`);
      expect(text).to.include('Stays hidden:').and.not.to.include('Kept:');
    }
    const { body } = await test
      .as()
      .get('/admin/api/audit?action=decision.hide')
      .set('Cookie', admin.cookie);
    type Row = { text: string; after: { stays_hidden: boolean } };
    const told = body.data.map((row: Row) => [
      row.text,
      row.after.stays_hidden,
    ]);
    // A text that is cut says so.
    expect(told).to.deep.equal([
      [`${long.repeat(8)}…`, true],
      ['One shop', true],
    ]);
  });

  it('is the same bulk when it is sent twice, and no other one', async () => {
    const ids = await copies(test, 3);
    const bulk = randomUUID();
    const input = { bulk, items: itemsOf(ids) };
    await done(begin(moderator, input));
    await run(moderator, bulk);
    const again = await done<BulkSeen>(begin(moderator, input));
    expect(again).to.include({ total: 3, done: 3, waiting: 0 });
    expect((await run(moderator, bulk)).settled).to.deep.equal([]);
    for (const other of [{ explanation: 'Another.' }, { reason: 'other' }]) {
      const answer = await begin(moderator, { ...input, ...other }).expect(409);
      expect(answer.body.error).to.equal('request_id_conflict');
    }
    expect(await audited(test, bulk, 'bulk.begin')).to.have.length(1);
  });

  it('is undone by a bulk, and what was decided since is listed', async () => {
    const ids = await copies(test, 5);
    const bulk = await begun(moderator, ids);
    await run(moderator, bulk);
    const [first] = (await readAll(viewer, bulk)).data;
    const back = { action: 'reinstate', id: ids[0] ?? 0, ...STAYS } as const;
    await done(admin.ask('decision.record', back));
    const undo = await undone(admin, bulk);
    expect(undo).to.include({ action: 'reinstate', total: 5, undoes: bulk });
    const again = { bulk: undo.bulk, undoes: bulk, ...STAYS };
    const same = await done<BulkSeen>(admin.ask('bulk.undo', again));
    expect(same).to.include({ total: 5 });
    const ran = await run(admin, undo.bulk);
    expect(ran).to.include({ done: 4, refused: 1, waiting: 0 });
    expect(ran.settled[0]?.error?.error).to.equal('decision_conflict');
    for (const id of ids) expect(await stateOf(test, id)).to.equal('visible');
    const { body } = await test.as().get(`/api/moderation/${ids[1]}`);
    const [removed, reinstated] = body.decisions;
    expect(reinstated.supersedes).to.equal(removed.id);
    expect(first?.message_id).to.equal(ids[0]);
    expect(await readAll(viewer, bulk)).to.include({ undone_by: undo.bulk });
  });

  it('lists refusals with their reasons and goes on with the others', async () => {
    const [id = 0] = await copies(test, 1);
    const items = [
      { subject: 'message:9999', seen: null },
      { subject: 'poll:9', seen: null },
      { subject: 'card:3-1', seen: null },
      { subject: 'message:1', seen: 7 },
      { subject: `message:${id}`, seen: null },
      { subject: `message:${id}`, seen: null },
    ];
    const { bulk } = await done<BulkSeen>(begin(moderator, { items }));
    const ran = await run(moderator, bulk);
    expect(ran).to.include({ total: 5, done: 1, refused: 4, waiting: 0 });
    expect(ran.settled[1]?.error?.detail).to.include('no poll 9 on');
    expect(ran.settled.map(({ error }) => error?.error)).to.deep.equal([
      ...['message_not_found', 'not_found', 'not_found', 'decision_conflict'],
      undefined,
    ]);
  });

  it('settles only reports that were there when it began', async () => {
    const [id = 0] = await copies(test, 1);
    const early = await reported(test, id);
    const bulk = await begun(moderator, [id]);
    test.clock.advance(1000);
    const late = await reported(test, id, { reason: 'privacy' });
    await run(moderator, bulk);
    const statuses = await Promise.all(
      [early, late].map(async (one) => {
        const { body } = await test.as().get(`/api/reports/${one}`);
        return body.status;
      }),
    );
    expect(statuses).to.deep.equal(['resolved', 'received']);
  });

  it('gives each role its rights and no more', async () => {
    const [id = 0] = await copies(test, 1);
    const bulk = await begun(moderator, [id]);
    const items = itemsOf([1]);
    expect((await admin.ask('bulk.run', { bulk })).status).to.equal(403);
    for (const [name, input] of [
      ['bulk.add', { bulk, items }],
      ['bulk.begin', { bulk, ...SPAM, items }],
      ['bulk.undo', { bulk, undoes: bulk, ...STAYS }],
    ] as const) {
      const { status } = await admin.ask(name, input as never);
      expect(status, name).to.be.oneOf([403, 409]);
    }
    expect(await readAll(viewer, bulk)).to.include({ total: 1, mine: false });
    const erase = { action: 'erase', reason: 'legal' };
    expect((await begin(moderator, erase)).status).to.equal(403);
    expect((await begin(admin, erase)).status).to.equal(200);
    const unknown = { bulk: randomUUID() };
    expect((await moderator.ask('bulk.run', unknown)).status).to.equal(404);
    await done(moderator.ask('bulk.cancel', { bulk }));
  });

  it('refuses ill-formed input with its field', async () => {
    const hide = { action: 'hide', reason: 'disagreement' };
    const bulk = await begun(moderator, [], hide);
    const kept = await begun(moderator, [], { action: 'keep', ...STAYS });
    const undo = { bulk: randomUUID(), ...STAYS };
    const cases: [Parameters<typeof moderator.ask>, string][] = [
      [['bulk.begin', { bulk: 'x', ...SPAM }], 'bulk'],
      [['bulk.begin', { ...undo, ...SPAM, reason: 'disagreement' }], 'reason'],
      [['bulk.begin', { ...undo, action: 'poll_decision' }], 'outcome'],
      [['bulk.add', { bulk, items: [] }], 'items'],
      [['bulk.undo', { ...undo, undoes: kept }], 'undoes'],
      [['bulk.run', { bulk, most: 0 }], 'most'],
    ];
    for (const [asked, field] of cases) {
      const answer = await moderator.ask(...asked);
      expect(answer.body, field).to.include({ error: 'invalid_input', field });
    }
  });

  it('takes ten thousand subjects and not one more', async () => {
    const bulk = await begun(moderator, []);
    for (let from = 0; from < 10_000; from += 500) {
      const ids = Array.from({ length: 500 }, (_, n) => 20_000 + from + n);
      const items = itemsOf(ids);
      await done(moderator.ask('bulk.add', { bulk, items }));
    }
    const one = { bulk, items: itemsOf([5]) };
    const answer = await moderator.ask('bulk.add', one);
    expect(answer.body).to.include({ error: 'invalid_input', field: 'items' });
    expect(await readAll(viewer, bulk)).to.include({
      total: 10_000,
      next: 1000,
    });
    await done(moderator.ask('bulk.cancel', { bulk }));
  });

  it('decides each subject once when two operators take the same ones', async () => {
    const ids = await copies(test, 12);
    const bulks = await Promise.all(
      [admin, moderator].map(async (by) => ({
        ...{ by, bulk: await begun(by, ids) },
      })),
    );
    await Promise.all(
      bulks.flatMap(({ by, bulk }) => [run(by, bulk), run(by, bulk)]),
    );
    const pages = await Promise.all(
      bulks.map(({ bulk }) => readAll(viewer, bulk)),
    );
    expect(pages.map(({ waiting }) => waiting)).to.deep.equal([0, 0]);
    const items = pages.flatMap(({ data }) => data);
    expect(items.filter(({ state }) => state === 'done')).to.have.length(12);
    const refused = items.filter(({ state }) => state === 'refused');
    expect(refused).to.have.length(12);
    for (const { message_id, error } of refused) {
      expect(error?.error).to.equal('decision_conflict');
      const current = error?.current as { id: number };
      const won = items.find(({ decision_id }) => decision_id === current.id);
      expect(won?.message_id).to.equal(message_id);
    }
    for (const id of ids) {
      const { body } = await test.as().get(`/api/moderation/${id}`);
      expect(body.decisions).to.have.length(1);
    }
  });

  it('keeps what was recorded and what waits over a restart', async () => {
    const ids = await copies(test, 10);
    const bulk = await begun(moderator, ids);
    await run(moderator, bulk, 4);
    await test.restart();
    const { data, next } = await done<CommandAnswers['bulk.read']>(
      moderator.ask('bulk.read', { bulk, state: 'waiting', limit: 5 }),
    );
    expect(data.map(({ message_id }) => message_id)).to.deep.equal(
      ids.slice(4, 9),
    );
    const rest = await done<CommandAnswers['bulk.read']>(
      moderator.ask('bulk.read', { bulk, state: 'waiting', after: next ?? 0 }),
    );
    expect(rest.data.map(({ message_id }) => message_id)).to.deep.equal([
      ids[9],
    ]);
    const open = await done<{ data: BulkSeen[] }>(
      moderator.ask('bulk.list', { mine: true, open: true }),
    );
    expect(open.data.map((one) => one.bulk)).to.deep.equal([bulk]);
    expect(await run(moderator, bulk)).to.include({ done: 10, waiting: 0 });
  });
});
