import { DAY_MS } from '../../../server/clock.js';
import { publishSigned, register } from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { openPoll, vote } from '../polls/polling.js';
import { network, rate } from '../votes/rating.js';
import { get, reply, statementsOf, topic } from './fixture.js';

const NOTHING = {
  topics: 0,
  replies: 0,
  messages: 0,
  signed_messages: 0,
  guest_messages: 0,
  ratings: { up: 0, down: 0 },
  polls: { created: 0, open: 0, closed: 0 },
  ballots: 0,
};

describe('/api/stats', () => {
  const test = givenBoard({ lifted: true, env: { ROLES: 'api' } });
  beforeEach(() => test.clock.advance(2 * DAY_MS));

  type Counters = typeof NOTHING & { operations: object };
  type Stats = { all_time: Counters; today: Counters };

  async function stats(): Promise<Stats & Record<string, unknown>> {
    return (await get(test, '/api/stats').expect(200)).body;
  }

  const plain = ({ operations: _, ...rest }: Counters) => rest;

  /** What has been counted of ever since `before`. */
  function since(before: Stats, { all_time }: Stats): object {
    const less = (now: object, then: object): object =>
      Object.fromEntries(
        Object.entries(now).map(([name, value]) => {
          const was = Reflect.get(then, name);
          const isGroup = typeof value === 'object';
          return [name, isGroup ? less(value, was) : value - was];
        }),
      );
    return less(plain(all_time), plain(before.all_time));
  }

  it('has its named members, and zeros on an empty board', async () => {
    const body = await stats();
    expect(body).to.have.all.keys(
      'all_time',
      'today',
      'today_start',
      'today_end',
      'generated_at',
      'undated_post_ratings',
      'telemetry',
      'community',
    );
    expect(plain(body.all_time)).to.deep.equal(NOTHING);
    expect(plain(body.today)).to.deep.equal(NOTHING);
    expect(body.undated_post_ratings).to.equal(0);
  });

  it('names the day: inclusive midnight to exclusive midnight', async () => {
    expect(await stats()).to.include({
      today_start: '2026-01-19T00:00:00Z',
      today_end: '2026-01-20T00:00:00Z',
      generated_at: '2026-01-19T12:00:00Z',
    });
  });

  it('counts everything of ever and of today', async () => {
    const { id: poll, rootId } = await openPoll(test, {
      question: 'Which?',
      options: ['a', 'b'],
      duration_hours: 24,
    });
    await reply(test, rootId);
    const agent = await register(test);
    await publishSigned(test, agent, { reply_to: rootId, body: 'Signed.' });
    await rate(test, rootId, 1, network(1));
    await rate(test, rootId, -1, network(2));
    await vote(test, poll, 'a', network(1));
    const day = {
      topics: 1,
      replies: 2,
      messages: 3,
      signed_messages: 1,
      guest_messages: 2,
      ratings: { up: 1, down: 1 },
      polls: { created: 1, open: 1, closed: 0 },
      ballots: 1,
    };
    const first = await stats();
    expect(plain(first.all_time)).to.deep.equal(day);
    expect(plain(first.today)).to.deep.equal(day);

    test.clock.advance(DAY_MS);
    await topic(test);
    await rate(test, rootId, 1, network(3));
    const second = await stats();
    expect(plain(second.today)).to.deep.equal({
      ...NOTHING,
      topics: 1,
      messages: 1,
      guest_messages: 1,
      ratings: { up: 1, down: 0 },
      polls: { created: 0, open: 0, closed: 1 },
    });
    expect(plain(second.all_time)).to.deep.equal({
      ...day,
      topics: 2,
      messages: 4,
      guest_messages: 3,
      ratings: { up: 2, down: 1 },
      polls: { created: 1, open: 0, closed: 1 },
    });
  });

  it('leaves removed content out, and takes it back', async () => {
    const begin = await stats();
    const { id: poll, rootId } = await openPoll(test);
    const answer = await reply(test, rootId);
    for (const id of [rootId, answer]) await rate(test, id, 1, network(1));
    await vote(test, poll, 'a', network(1));
    const before = await stats();
    await decideTo.remove(test, rootId);
    const during = await stats();
    for (const counters of [since(begin, during), plain(during.today)]) {
      expect(counters).to.deep.equal({
        ...NOTHING,
        replies: 1,
        messages: 1,
        guest_messages: 1,
        ratings: { up: 1, down: 0 },
      });
    }
    await decideTo.reinstate(test, rootId);
    const after = await stats();
    expect(since(before, after)).to.deep.equal({
      ...NOTHING,
      polls: { created: 0, open: -1, closed: 1 },
    });
  });

  it('counts topics that are hidden', async () => {
    const before = await stats();
    const id = await topic(test);
    for (const n of [1, 2, 3]) await rate(test, id, -1, network(n));
    expect(since(before, await stats())).to.include({ topics: 1 });
  });

  it('is one statement and is never cached', async () => {
    const texts = await statementsOf(test, () => get(test, '/api/stats'));
    expect(texts).to.have.length(1);
    const { headers } = await get(test, '/api/stats');
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers).not.to.have.property('etag');
  });

  it('is made once a minute where much is counted', async () => {
    const id = await topic(test);
    await test.board.context.writes.query(
      `INSERT INTO vote (message_id, voter, value, at)
       SELECT $1, sha256(n::text::bytea), 1, 0 FROM generate_series(0, 200000) n`,
      [id],
    );
    const before = await stats();
    await topic(test);
    expect(await stats()).to.eql(before);
    test.clock.advance(60_000);
    expect(since(before, await stats())).to.include({ topics: 1 });
  });
});
