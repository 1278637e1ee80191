import type {
  CommandAnswers,
  CommandInput,
} from '../../server/dashboard/all-commands.js';
import type { QueuePage } from '../../server/dashboard/commands/queue.js';
import type {
  WatchRuleSeen,
  WatchTrial,
} from '../../server/dashboard/commands/watch-rules.js';
import { Stream } from '../../server/db/entities/counter.js';
import { OperatorAudit } from '../../server/db/entities/operator-session.js';
import { report, send } from '../server/moderation/reports/reporting.js';
import { network, rate } from '../server/votes/rating.js';
import { type Agent, publishSigned, register } from '../support/agent.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import { done, givenOperators, operator, RULING } from './operators.js';

type Rule = CommandInput<'watch.save'>['rule'];

describe('Watch rules', () => {
  const { test, admin } = givenOperators();

  const add = (name: string, rule: Rule, more: object = {}) =>
    done<WatchRuleSeen>(admin.ask('watch.save', { name, rule, ...more }));
  const remove = (id: string) => done(admin.ask('watch.remove', { id }));
  const run = async () => {
    test.clock.advance(10_000);
    const { notificationJobs } = test.board.background;
    expect(await notificationJobs.runOnce('watch_rules')).to.equal('ran');
  };
  const reportsOn = async (id: number, by = admin) => {
    const subject = `message:${id}`;
    const asked = { kind: 'watch', subject, status: 'all' } as const;
    return (
      await done<CommandAnswers['report.list']>(by.ask('report.list', asked))
    ).data;
  };
  const posted = async (body: string, more: object = {}) => {
    const { message } = await publish(test, {
      title: 'A title',
      body,
      ...more,
    });
    return message.id;
  };

  for (const [rule, hits, misses] of [
    [
      { kind: 'words', terms: ['Casino', 'free money', '赌场', 'straße'] },
      ['Best CASINO!', 'Get free money.', '线上赌场推荐', 'die STRASSE hier'],
      ['casinos', 'a mycasino b', 'free  moneys', 'The raccasinox'],
    ],
    [
      { kind: 'hosts', hosts: ['bad.example'] },
      ['See https://bad.example/x.', 'http://Shop.BAD.example:8080'],
      ['See https://notbad.example/', 'https://bad.example.org', 'bad.example'],
    ],
  ] as const) {
    it(`match ${rule.kind} as they are meant`, async () => {
      const { id } = await add(rule.kind, rule as unknown as Rule);
      const right: [string, number, boolean][] = [];
      for (const body of hits) right.push([body, await posted(body), true]);
      for (const body of misses) right.push([body, await posted(body), false]);
      await run();
      for (const [body, message, wanted] of right) {
        expect(await reportsOn(message), body).to.have.length(wanted ? 1 : 0);
      }
      await remove(id);
    });
  }

  it('match names, and leave published what they match', async () => {
    const { id } = await add('Names', { kind: 'names', names: ['Mallory'] });
    const hit = await posted('Hello.', { name: 'MALLORY' });
    const miss = await posted('Hello.', { name: 'Mallory2' });
    await run();
    const [filed] = await reportsOn(hit);
    expect(filed).to.include({ reason: 'other', status: 'received' });
    expect(filed?.detail).to.equal(
      'The watch rule "Names" (version 1) matched.',
    );
    expect(await reportsOn(miss)).to.deep.equal([]);
    const { body } = await test.as().get(`/api/messages/${hit}`).expect(200);
    expect(body.body).to.equal('Hello.');
    // The public cannot ask for it, and cannot file one.
    const uuid = filed?.request_id ?? '';
    await test.as().get(`/api/reports/${uuid}`).expect(404);
    await send(test, report({ kind: 'watch' })).expect(400);
    const again = report({ request_id: uuid, message_id: hit });
    await send(test, again).expect(409);
    const queue = await done<QueuePage>(admin.ask('queue.list', {}));
    const row = queue.data.find(({ message_id }) => message_id === hit);
    expect(row).to.include({ reports: 1 });
    await remove(id);
  });

  it('match a key under each of its names', async () => {
    const [watched, other] = [await register(test), await register(test)];
    const { id } = await add('Keys', { kind: 'keys', keys: [watched.id] });
    const signed = async (agent: Agent) => {
      const post = { title: 'Signed', name: 'same', body: agent.id };
      return (await publishSigned(test, agent, post)).message.id;
    };
    const hits = [await signed(watched), await signed(watched)];
    const miss = await signed(other);
    const named = await posted(`A guest names ${watched.id}.`);
    await run();
    for (const hit of hits) {
      const [filed, ...more] = await reportsOn(hit);
      expect(filed?.detail).to.include('The watch rule "Keys" (version 1)');
      expect(more).to.deep.equal([]);
    }
    expect(await reportsOn(miss)).to.deep.equal([]);
    expect(await reportsOn(named)).to.deep.equal([]);
    await remove(id);
  });

  it('match a score when ratings reach it', async () => {
    const { id } = await add('Low', { kind: 'score', at_most: -2 });
    const message = await posted('It is rated.');
    await rate(test, message, -1, network(1));
    await run();
    expect(await reportsOn(message)).to.deep.equal([]);
    await rate(test, message, -1, network(2));
    await run();
    await rate(test, message, -1, network(3));
    await run();
    expect(await reportsOn(message)).to.have.length(1);
    await remove(id);
  });

  it('match a rate once, at the message that reaches it', async () => {
    const rule = { kind: 'rate', messages: 3, minutes: 10 } as const;
    const { id } = await add('Fast', rule);
    const ids: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      ids.push(await posted('One more.', { name: 'Trudy' }));
      await posted('One of many.'); // guests without a name are nobody
    }
    await run();
    const filed = await Promise.all(ids.map((one) => reportsOn(one)));
    expect(filed.map(({ length }) => length)).to.deep.equal([0, 0, 1, 0]);
    test.clock.advance(11 * 60_000);
    const later = await posted('Later.', { name: 'Trudy' });
    await run();
    expect(await reportsOn(later)).to.deep.equal([]);
    await remove(id);
  });

  it('spend no budget, and report nothing twice', async () => {
    const { writes } = test.board.context;
    const spent = () =>
      writes.query('SELECT * FROM budget_spend ORDER BY scope, key, at');
    await run();
    const message = await posted('xyzzy xyzzy');
    const rule = { kind: 'words', terms: ['xyzzy'] } as const;
    const { id } = await add('Xyzzy', { ...rule, terms: [...rule.terms] });
    const after = await posted('And xyzzy again.');
    const before = await spent();
    await run();
    expect(await reportsOn(after)).to.have.length(1);
    // An older cursor looks at the same messages again.
    const stream = { name: 'watched_messages' };
    await rows(test).update(Stream, stream, { lastId: message - 1 });
    await run();
    expect(await spent()).to.deep.equal(before);
    expect(await reportsOn(after)).to.have.length(1);
    expect(await reportsOn(message)).to.have.length(1);
    await remove(id);
  });

  it('match no removed message, and none while they are paused', async () => {
    const rule: Rule = { kind: 'words', terms: ['plugh'] };
    const { id } = await add('Paused', rule, { paused: true });
    const before = await posted('plugh');
    await run();
    await add('Paused', rule, { id });
    const gone = await posted('plugh');
    await done(
      admin.ask('decision.record', {
        ...{ action: 'remove', id: gone, reason: 'spam' },
        explanation: 'It is spam.',
      }),
    );
    await run();
    expect(await reportsOn(before)).to.deep.equal([]);
    expect(await reportsOn(gone)).to.deep.equal([]);
    await remove(id);
  });

  it('have versions, an audit trail and one writer at a time', async () => {
    const rule: Rule = { kind: 'words', terms: ['one'] };
    const { id, version } = await add('Versions', rule);
    const changed = { ...rule, terms: ['two'] };
    await add('Versions', changed, { id, seen: version });
    const stale = await admin.ask('watch.save', {
      ...{ id, seen: version, name: 'Versions', rule },
    });
    expect(stale.body.error).to.equal('decision_conflict');
    expect(stale.body.current).to.deep.include({ version: 2, rule: changed });
    await admin.ask('watch.save', { name: 'Versions', rule }).expect(400);
    await admin.ask('watch.remove', { id, seen: version }).expect(409);
    await remove(id);
    const { data } = await done<CommandAnswers['watch.versions']>(
      admin.ask('watch.versions', { id }),
    );
    const versions = data.map((it) => [it.version, it.removed].join());
    expect(versions).to.deep.equal(['3,true', '2,false', '1,false']);
    expect(new Set(data.map((it) => it.changed_by))).to.have.all.keys('Ada');
    const trail = await rows(test).find(OperatorAudit, {
      where: { subject: `watch:${id}` },
      order: { id: 'ASC' },
    });
    expect(trail.map(({ action }) => action)).to.deep.equal([
      ...['watch.save', 'watch.save', 'watch.remove'],
    ]);
    await admin.ask('watch.remove', { id }).expect(404);
  });

  it('refuse what would be slow or mean nothing', async () => {
    const bad: unknown[] = [
      { kind: 'words', terms: [] },
      { kind: 'words', terms: ['x'] },
      { kind: 'words', terms: ['y'.repeat(81)] },
      { kind: 'words', terms: Array(21).fill('word') },
      { kind: 'hosts', hosts: ['https://a.example/'] },
      { kind: 'keys', keys: ['nobody'] },
      { kind: 'score', at_most: 0 },
      { kind: 'rate', messages: 1, minutes: 5 },
      { kind: 'rate', messages: 5, minutes: 61 },
      { kind: 'regex', terms: ['(a+)+$'] },
      { kind: 'words', terms: ['fine'], more: 1 },
      null,
    ];
    for (const rule of bad) {
      const input = { name: 'Bad', rule } as CommandInput<'watch.save'>;
      const { status } = await admin.ask('watch.save', input);
      expect(status, JSON.stringify(rule)).to.be.oneOf([400, 422]);
    }
  });

  it('show what the last 30 days would have matched', async () => {
    const rule: Rule = { kind: 'words', terms: ['frobnicate'] };
    await posted('frobnicate');
    test.clock.advance(31 * 86_400_000);
    const later = await operator(test, 'admin', 'Ada later');
    const gone = await posted('Frobnicate, again.');
    const recent = await posted('We frobnicate.');
    const remove = { action: 'remove', id: gone, ...RULING } as const;
    await done(later.ask('decision.record', remove));
    const trial = await done<WatchTrial>(later.ask('watch.try', { rule }));
    expect(trial).to.include({ matches: 1, complete: true });
    expect(trial).to.include({ looked_at: 1, removed: 1 });
    expect(trial.examples[0]).to.include({ excerpt: 'We frobnicate.' });
    expect(trial.examples.map((it) => it.message_id)).to.deep.equal([recent]);
    expect(await reportsOn(recent, later)).to.deep.equal([]);
  });
});
