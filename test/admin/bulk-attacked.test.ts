import { In } from 'typeorm';
import { DAY_MS } from '../../server/clock.js';
import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import type { BulkSeen } from '../../server/dashboard/commands/bulk.js';
import { Bulk } from '../../server/db/entities/bulk.js';
import { Decision } from '../../server/db/entities/decision.js';
import { sweep } from '../../server/operations/jobs/sweep.js';
import { VECTORS } from '../browser/pages-vectors.js';
import { randomUUID } from '../support/random.js';
import { rows } from '../support/rows.js';
import { until } from '../support/until.js';
import {
  audited,
  begin,
  begun,
  copies,
  itemsOf,
  readAll,
  run,
} from './bulks.js';
import { done, givenOperators, STAYS, stateOf } from './operators.js';

const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE usename = current_user AND datname = current_database() AND pid <> pg_backend_pid()`;

describe('A bulk under attack', () => {
  const { test, admin, moderator, viewer } = givenOperators();

  const decisions = (ids: readonly number[]) =>
    rows(test).countBy(Decision, { messageId: In(ids) });

  async function decidedAndUndone(ids: readonly number[]) {
    const items = itemsOf(ids);
    const bulk = await begun(moderator, ids);
    await run(moderator, bulk);
    const undo = { bulk: randomUUID(), undoes: bulk, ...STAYS };
    await done(moderator.ask('bulk.undo', undo));
    await run(moderator, undo.bulk);
    return { items, bulk, undo };
  }

  it('is refused what was decided, when it is sent again a month later', async () => {
    const ids = await copies(test, 2);
    const { items, bulk, undo } = await decidedAndUndone(ids);
    // A working session, and no bulk that old.
    const createdAt = test.clock.now() - 31 * DAY_MS;
    await rows(test).update(Bulk, [bulk, undo.bulk], { createdAt });
    await sweep(test.board.context, new AbortController().signal);
    for (const name of ['bulk.run', 'bulk.read', 'bulk.cancel'] as const) {
      const answer = await moderator.ask(name, { bulk });
      expect(answer.status, name).to.equal(404);
    }
    await done(begin(moderator, { bulk, items }));
    const ran = await run(moderator, bulk);
    expect(ran).to.include({ done: 0, refused: 2 });
    for (const { error } of ran.settled) {
      expect(error?.error).to.equal('decision_conflict');
    }
    for (const id of ids) expect(await stateOf(test, id)).to.equal('visible');
  });

  it('decides nothing after a cancel is answered, however many run it', async () => {
    const ids = await copies(test, 60);
    const bulk = await begun(moderator, ids);
    const first = done(moderator.ask('bulk.run', { bulk, most: 1 }));
    const running = Array.from({ length: 6 }, () =>
      moderator
        .ask('bulk.run', { bulk, most: 20 })
        .then(({ status }) => status),
    );
    await first;
    const by = [admin, moderator, moderator];
    const cancelled = await Promise.any(
      by.map((one) => done<BulkSeen>(one.ask('bulk.cancel', { bulk }))),
    );
    const then = await decisions(ids);
    expect(cancelled.state).to.equal('cancelled');
    expect(await Promise.all(running)).to.deep.equal(Array(6).fill(200));
    expect(await decisions(ids)).to.equal(then);
    const { done: recorded, waiting } = await readAll(viewer, bulk);
    expect([recorded, recorded + waiting]).to.deep.equal([then, 60]);
    const more = await moderator.ask('bulk.add', { bulk, items: itemsOf([1]) });
    expect(more.body.error).to.equal('decision_conflict');
  });

  it('leaves no subject between when it runs and is undone at once', async () => {
    const ids = await copies(test, 40);
    const bulk = await begun(moderator, ids);
    const undo = { bulk: randomUUID(), undoes: bulk, ...STAYS };
    const runs = Array.from({ length: 4 }, () => run(moderator, bulk, 10));
    const undone = (async () => {
      await done(admin.ask('bulk.undo', undo));
      return await run(admin, undo.bulk);
    })();
    await Promise.all([...runs, undone]);
    await run(moderator, bulk);
    await done(admin.ask('bulk.undo', undo));
    const last: CommandAnswers['bulk.run'] = await run(admin, undo.bulk);
    expect(last).to.include({ refused: 0, waiting: 0 });
    const reversed = new Set(
      (await readAll(viewer, undo.bulk)).data.map(
        ({ message_id }) => message_id,
      ),
    );
    for (const id of ids) {
      const { body } = await test.as().get(`/api/moderation/${id}`);
      const due = reversed.has(id) ? ['remove', 'reinstate'] : ['remove'];
      const actions = body.decisions.map(
        ({ action }: { action: string }) => action,
      );
      expect(actions.sort(), `message ${id}`).to.deep.equal(due.sort());
      const state = reversed.has(id) ? 'visible' : 'removed';
      expect(body.state).to.equal(state);
    }
  });

  it('takes each hostile text as an explanation, to the letter', async () => {
    const texts = VECTORS.filter((text) => !/[\0\p{Surrogate}]/u.test(text));
    const some = texts.filter((_, n) => n % 16 === 0);
    for (const explanation of some) {
      const [id = 0] = await copies(test, 1);
      const items = itemsOf([id]);
      const asked = { action: 'keep', ...STAYS, explanation, items };
      const answer = await begin(moderator, asked);
      // A placeholder that nobody filled is the one thing that is refused.
      if (/\{\{/.test(explanation) && answer.status === 400) continue;
      const { bulk } = await done<BulkSeen>(Promise.resolve(answer) as never);
      expect(await run(moderator, bulk)).to.include({ done: 1 });
      const { body } = await test.as().get(`/api/moderation/${id}`);
      expect(body.decisions[0].explanation).to.equal(explanation);
    }
  });

  it('refuses subjects of no form, and lists those of no message', async () => {
    const wrong = [
      ...['', 'message', 'message:', 'message:0', 'message:-1', 'message:1.5'],
      ...['message:1e3', 'message: 1', 'message:1 ', 'message:01', 'MESSAGE:1'],
      ...['message:9999999999999999', "message:1' OR 1=1", 'message:1;poll:2'],
      ...['message:１', 'message:1\n', 'message:1\0', 'topic:1', 'card:1'],
      ...['card:1-', 'card:1-0', 'card:1-1000', 'card:1-1-1', 'poll:0x1'],
      ...[`message:${'1'.repeat(60)}`, 'poll:1:2', '__proto__:1', 'message:∞'],
    ];
    const bulk = await begun(moderator, []);
    for (const subject of wrong) {
      const items = [{ subject, seen: null }];
      const answer = await moderator.ask('bulk.add', { bulk, items });
      expect(answer.status, JSON.stringify(subject)).to.be.oneOf([400, 422]);
    }
    const most = 999_999_999_999_999;
    const far = [`message:${most}`, `poll:${most}`, `card:${most}-999`];
    const items = far.map((subject) => ({ subject, seen: most }));
    await done(moderator.ask('bulk.add', { bulk, items }));
    const ran = await run(moderator, bulk);
    expect(ran).to.include({ done: 0, refused: 3, waiting: 0 });
  });

  it('decides each subject once though its connections are cut', async () => {
    const ids = await copies(test, 40);
    const bulk = await begun(moderator, ids);
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
    const subjects = await audited(test, bulk, 'decision.remove');
    expect(subjects.sort()).to.deep.equal(
      ids.map((id) => `message:${id}`).sort(),
    );
  });
});
