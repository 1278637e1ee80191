import { Operator } from '../../server/db/entities/operator.js';
import { OperatorSession } from '../../server/db/entities/operator-session.js';
import { network, rate } from '../server/votes/rating.js';
import { startBoard } from '../support/board.js';
import { within } from '../support/full.js';
import { holdCalls } from '../support/held-query.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import { until } from '../support/until.js';
import {
  type Dashboard,
  givenDashboards,
  type ReceivedEvent,
} from './dashboard.js';
import { operator, reported, STAYS } from './operators.js';

describe("The dashboards' socket", () => {
  const { test, closeAll, dashboard, welcomed } = givenDashboards();

  it('tells of a publish, and of no text', async () => {
    const made = await welcomed();
    // The best of ten: another process may take the machine for a moment.
    let best = Number.POSITIVE_INFINITY;
    for (let n = 1; n <= 10 && best >= 500; n += 1) {
      const { message } = await publish(test, { title: 'News' });
      const since = performance.now();
      await until('it is told', () => made.of('message').length === n);
      best = Math.min(best, performance.now() - since);
      expect(made.of('message').at(-1)).to.include({ message_id: message.id });
    }
    expect(best).to.be.below(within(500));
    expect(made.of('message')[0]).to.include({ room: 'lobby' });
    expect(JSON.stringify(made.told)).not.to.include('News');
  });

  it('tells of everything in one order without gaps', async () => {
    const made = await welcomed();
    const { id } = (await publish(test, { title: 'One' })).message;
    for (const n of [1, 2, 3]) await rate(test, id, -1, network(n));
    await reported(test, id);
    const restored = { action: 'restore_visibility', id, ...STAYS } as const;
    const reply = await made.ask('decision.record', restored);
    expect(reply.ok).to.equal(true);
    await test.board.background.jobs.runOnce('watch');
    for (const kind of ['message', 'rating', 'report', 'decision', 'job']) {
      await until(`${kind} is told`, () => made.of(kind).length > 0);
    }
    await until('both are told', () => made.of('hidden').length === 2);
    const [snapshot, ...events] = made.told;
    const first = snapshot?.seq ?? 0;
    expect(events.map(({ seq }) => seq)).to.deep.equal(
      events.map((_, n) => first + n + 1),
    );
    expect(made.of('rating').at(-1)).to.include({ message_id: id, score: -3 });
  });

  it('tells nobody again of what its snapshot holds', async () => {
    await publish(test, { title: 'Before anybody watched' });
    await reported(test, 1);
    const made = await welcomed();
    const { message } = await publish(test, { title: 'Seen' });
    await until('it is told', () => made.of('message').length > 0);
    expect(made.of('message')[0]).to.include({ message_id: message.id });
    expect(made.of('report')).to.deep.equal([]);
  });

  it('loses nothing and tells nothing twice over lost connections', async () => {
    let made = await welcomed();
    const all: ReceivedEvent[] = [];
    const leave = (): number => {
      made.close();
      all.push(...made.told.splice(0));
      return all.at(-1)?.seq ?? 0;
    };
    for (let round = 0; round < 10; round += 1) {
      const publishing = Promise.all(
        [0, 1, 2].map((n) => publish(test, { title: `${round} ${n}` })),
      );
      // Cut off in the middle, or after the first news.
      const news = () => made.of('message').length > 0;
      if (round % 2 === 0) await until('something is told', news);
      const cursor = leave();
      await publishing;
      made = await dashboard({ cursor });
    }
    const messages = () =>
      [...all, ...made.told].filter(({ kind }) => kind === 'message');
    await until('all is told', () => messages().length >= 30);
    leave();
    expect(all.filter(({ kind }) => kind === 'snapshot')).to.have.length(1);
    const seqs = all.slice(1).map(({ seq }) => seq);
    expect(new Set(seqs).size).to.equal(seqs.length);
    const ids = all.flatMap((it) =>
      it.kind === 'message' && 'message_id' in it ? [it.message_id] : [],
    );
    const [first = 0] = ids;
    expect(ids).to.deep.equal(Array.from({ length: 30 }, (_, n) => first + n));
  });

  it('begins anew with a snapshot where a cursor cannot go on', async () => {
    await publish(test, { title: 'One' });
    for (const cursor of [-1, 10_000, 1.5, '3', null, {}]) {
      const made = await dashboard({ cursor });
      await until('a snapshot comes', () => made.of('snapshot').length === 1);
      expect(made.of('snapshot')[0]).to.have.nested.property(
        'overview.reports.received',
      );
    }
  });

  it('tells dashboards of another process on the same database', async () => {
    const { databaseUrl, clock } = test;
    const other = await startBoard({ databaseUrl, clock, lifted: true });
    try {
      const here = await welcomed();
      const there = await dashboard({}, other);
      await until('a snapshot', () => there.of('snapshot').length === 1);
      await publish(test, { title: 'Here' });
      await publish(other, { title: 'There' }, '203.0.113.9');
      for (const made of [here, there]) {
        await until('both are told', () => made.of('message').length === 2);
      }
      const seqs = (made: Dashboard) => made.of('message').map((it) => it.seq);
      expect(seqs(here)).to.deep.equal(seqs(there));
    } finally {
      closeAll();
      await other.stop();
    }
  });

  it('closes with a revoked session, of a role less, not', async () => {
    const lowered = await operator(test, 'moderator');
    const made = await welcomed({ cookie: lowered.cookie });
    await rows(test).update(Operator, lowered.id, { role: 'viewer' });
    const keep = { action: 'keep', id: 1, ...STAYS } as const;
    const refused = await made.ask('decision.record', keep);
    expect(refused).to.deep.include({ ok: false, status: 403 });
    // The best of ten, as above.
    let best = Number.POSITIVE_INFINITY;
    let [revoked, member] = [made, lowered];
    for (let n = 1; n <= 10 && best >= 1000; n += 1) {
      await rows(test).delete(OperatorSession, member.sessionId);
      const since = performance.now();
      const late = await revoked.ask('queue.list', {}).catch(() => null);
      if (late !== null) {
        expect(late).to.deep.include({ ok: false, status: 401 });
      }
      await until('it is closed', () => !revoked.connected);
      best = Math.min(best, performance.now() - since);
      member = await operator(test, 'viewer');
      revoked = await welcomed({ cookie: member.cookie });
    }
    expect(best).to.be.below(within(1000));
  });

  it('stays open for a session that began while sessions were looked at', async () => {
    await welcomed();
    const { manager } = test.board.context.writes;
    const look = holdCalls(
      manager as unknown as { find(entity: unknown): Promise<unknown> },
      'find',
      (entity) => entity === OperatorSession,
    );
    try {
      await until('sessions are looked at', () => look.held() === 1);
      const { cookie } = await operator(test, 'viewer');
      const made = await welcomed({ cookie });
      look.release();
      await publish(test, { title: 'News' });
      await until('it is told', () => made.of('message').length === 1);
    } finally {
      look.release();
      look.remove();
    }
  });

  it('keeps no node from stopping', async () => {
    const made = await welcomed();
    const since = performance.now();
    await test.restart();
    expect(performance.now() - since).to.be.below(within(5000));
    await until('it is closed', () => !made.connected);
    const again = await dashboard({ cursor: made.cursor });
    await publish(test, { title: 'After' });
    await until('it goes on', () => again.of('message').length === 1);
    expect(again.of('snapshot')).to.deep.equal([]);
  });
});
