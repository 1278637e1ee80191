import { DAY_MS } from '../../../../server/clock.js';
import { Report } from '../../../../server/db/entities/report.js';
import {
  done,
  givenOperators,
  operator,
  reported,
  STAYS,
} from '../../../admin/operators.js';
import { publish } from '../../../support/post.js';
import { freshNetwork } from '../../../support/random.js';
import { rows } from '../../../support/rows.js';
import { openPoll, PROPOSAL } from '../../polls/polling.js';
import { report, send } from './reporting.js';

describe('A report of what was kept', () => {
  const { test, moderator, viewer } = givenOperators();
  let id = 0;

  beforeEach(async () => {
    ({ id } = (await publish(test)).message);
    const first = await reported(test, id);
    await done(
      moderator.ask('decision.record', {
        ...{ action: 'keep', id, ...STAYS },
        report_ids: [first],
      }),
    );
    test.clock.advance(1000);
  });

  async function again(more: object = {}, from = freshNetwork()) {
    const { body, status } = await send(
      test,
      report({ message_id: id, ...more }),
      from,
    );
    expect(status).to.equal(201);
    expect(body.status).to.equal('received');
    return body as { request_id: string; decision_url?: string };
  }

  const inQueue = async () => {
    const { data } = await done<{ data: Record<string, unknown>[] }>(
      viewer.ask('queue.list', {}),
    );
    return data.find(({ message_id }) => message_id === id);
  };

  it('leads to the decision and opens from the third network on', async () => {
    const [one, two] = [freshNetwork(), freshNetwork()];
    for (const from of [one, one, two, two, one]) {
      expect((await again({}, from)).decision_url).to.contain(
        `/moderation/${id}`,
      );
    }
    expect(await inQueue()).to.equal(undefined);
    await again();
    expect(await inQueue()).to.include({ reports: 6, repeated: 6 });
    await again();
    expect(await inQueue()).to.include({ reports: 7 });
  });

  it('is the same receipt when it is sent again', async () => {
    const body = report({ message_id: id });
    const from = freshNetwork();
    const first = await send(test, body, from).expect(201);
    const second = await send(test, body, from).expect(200);
    expect(second.body).to.deep.equal(first.body);
  });

  it('opens at once for another reason and by an appeal', async () => {
    for (const more of [
      { reason: 'privacy' },
      { kind: 'appeal', reason: 'other' },
    ]) {
      expect(await again(more)).not.to.have.property('decision_url');
      const open = await inQueue();
      expect(open).to.include({ repeated: 0 });
      const { data } = await done<{ data: { request_id: string }[] }>(
        viewer.ask('report.list', { subject: `message:${id}` }),
      );
      await done(
        moderator.ask('decision.record', {
          ...{ action: 'keep', id, ...STAYS },
          report_ids: data.map(({ request_id }) => request_id),
        }),
      );
      test.clock.advance(1000);
    }
  });

  it('opens for the third of three networks at once', async () => {
    await Promise.all([again(), again(), again()]);
    expect(await inQueue()).to.include({ reports: 3 });
  });

  it('keeps what tells networks apart for a week, and in no two the same', async () => {
    const from = freshNetwork();
    await again({}, from);
    const other = await publish(test);
    await send(test, report({ message_id: other.message.id }), from).expect(
      201,
    );
    const kept = () => rows(test).find(Report, { order: { createdAt: 'ASC' } });
    const [mine, foreign] = (await kept()).slice(-2);
    expect(mine?.reporter).to.have.length(32);
    expect(mine?.reporter?.equals(foreign?.reporter ?? Buffer.of())).to.equal(
      false,
    );
    test.clock.advance(7 * DAY_MS + 1);
    await test.board.background.jobs.runOnce('sweep');
    expect(await again()).not.to.have.property('decision_url');
    const left = (await kept()).filter(({ reporter }) => reporter !== null);
    expect(left.every(({ status }) => status === 'received')).to.equal(true);
  });
});

describe('A topic that was kept', () => {
  const { test } = givenOperators();

  it('stays kept when a poll of its topic is decided', async () => {
    const poll = await openPoll(test, { ...PROPOSAL, duration_hours: 24 });
    const id = poll.rootId;
    const spam = report({ message_id: id });
    const sent = await send(test, spam, freshNetwork()).expect(201);
    test.clock.advance(25 * 3_600_000);
    const later = await operator(test, 'admin');
    const keep = { action: 'keep', id, ...STAYS } as const;
    const report_ids = [sent.body.request_id];
    await done(later.ask('decision.record', { ...keep, report_ids }));
    const explanation = 'So be it.';
    const decided = { outcome: 'accepted', id: poll.id, explanation } as const;
    await done(
      later.ask('decision.record', { action: 'poll_decision', ...decided }),
    );
    test.clock.advance(1000);
    await later.ask('decision.record', keep).expect(409);
    const body = report({ message_id: id });
    const again = await send(test, body, freshNetwork()).expect(201);
    expect(again.body).to.have.property('decision_url');
    const other = report({ message_id: id, reason: 'privacy' });
    await send(test, other, freshNetwork()).expect(201);
    const { data } = await done<{ data: Record<string, unknown>[] }>(
      later.ask('queue.list', {}),
    );
    const row = data.find(({ message_id }) => message_id === id);
    expect(row?.kept).to.include({ operator: later.alias });
  });
});
