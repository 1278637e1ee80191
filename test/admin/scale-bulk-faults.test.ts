import { expect } from 'chai';
import type {
  BulkPage,
  BulkSeen,
} from '../../server/dashboard/schemas/scale-views.js';
import type { TestBoard } from '../support/board.js';
import { forAllTests } from '../support/hooks.js';
import { until } from '../support/until.js';
import { desksOfATopic, stateOf } from './actions-desk-set.js';
import { done, type SignedInOperator } from './actions-operator.js';
import {
  auditRows,
  begin,
  copies,
  itemsOf,
  readAll,
  run,
} from './scale-bulk-set.js';

/** Ends every other session of the database. */
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

describe('A bulk of decisions in trouble', () => {
  let test: TestBoard;
  let admin: SignedInOperator;
  let moderator: SignedInOperator;
  let viewer: SignedInOperator;

  forAllTests(desksOfATopic, (made) => {
    ({ test, admin, moderator, viewer } = made);
  });

  it('decides each subject once when two operators take the same ones', async () => {
    const ids = await copies(test, 12);
    const bulks = await Promise.all(
      [admin, moderator].map(async (by) => {
        const { bulk } = await done<BulkSeen>(
          begin(by, { items: itemsOf(ids) }),
        );
        return { by, bulk };
      }),
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
    const { bulk } = await done<BulkSeen>(
      begin(moderator, { items: itemsOf(ids) }),
    );
    await run(moderator, bulk, 4);
    await test.restart();
    const { data, next } = await done<BulkPage>(
      moderator.ask('bulk.read', { bulk, state: 'waiting', limit: 5 }),
    );
    expect(data.map(({ message_id }) => message_id)).to.deep.equal(
      ids.slice(4, 9),
    );
    const rest = await done<BulkPage>(
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

  it('decides nothing after it was cancelled', async () => {
    const ids = await copies(test, 4);
    const { bulk } = await done<BulkSeen>(
      begin(moderator, { items: itemsOf(ids) }),
    );
    await run(moderator, bulk, 1);
    const ended = await done<BulkSeen>(admin.ask('bulk.cancel', { bulk }));
    expect(ended).to.include({ state: 'cancelled', done: 1, waiting: 3 });
    expect(await run(moderator, bulk)).to.include({ done: 1, waiting: 3 });
    const more = await moderator.ask('bulk.add', { bulk, items: itemsOf([1]) });
    expect(more.body.error).to.equal('decision_conflict');
    expect(await stateOf(test, ids[1] ?? 0)).to.equal('visible');
  });

  it('decides each subject once though its connections are cut', async () => {
    const ids = await copies(test, 40);
    const { bulk } = await done<BulkSeen>(
      begin(moderator, { items: itemsOf(ids) }),
    );
    const { reads } = test.board.context;
    for (let n = 0; n < 4; n += 1) {
      const asked = { bulk, most: 10 };
      const running = moderator.ask('bulk.run', asked).then(() => null);
      await Promise.all([running, reads.query(CUT)]);
    }
    await until('none waits', async () => {
      const { status, body } = await moderator.ask('bulk.run', { bulk });
      return status === 200 && body.waiting === 0;
    });
    expect(await readAll(viewer, bulk)).to.include({ done: 40, refused: 0 });
    for (const id of ids) {
      const { body } = await test.as().get(`/api/moderation/${id}`);
      expect(body.decisions).to.have.length(1);
    }
    const audited = await auditRows(test, bulk);
    const subjects = audited
      .filter(({ action }) => action === 'decision.remove')
      .map(({ subject }) => subject);
    expect(subjects.sort()).to.deep.equal(
      ids.map((id) => `message:${id}`).sort(),
    );
  });
});
