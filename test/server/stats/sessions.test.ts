import { DAY_MS, utcDay } from '../../../server/clock.js';
import { SessionDay, SessionTotal } from '../../../server/db/entities/stats.js';
import { startBoard } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { publish, submit } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { rate } from '../votes/rating.js';

describe('Telemetry sessions', () => {
  const test = givenBoard({ lifted: true, env: { ROLES: 'api' } });
  let earlier: Sessions;

  type Sessions = Record<string, number>;

  beforeEach(async () => {
    test.clock.advance(DAY_MS);
    earlier = await everySession();
  });

  const today = () => utcDay(test.clock.now());

  async function sessions(): Promise<Sessions> {
    const added = Object.entries(await everySession()).map(([name, count]) => [
      name,
      count - (earlier[name] ?? 0),
    ]);
    return Object.fromEntries(added);
  }

  /** Once the day is over; read as monitoring does, which counts nothing. */
  async function everySession(): Promise<Sessions> {
    await test.flush();
    test.clock.advance(DAY_MS);
    const { body } = await test
      .get('/api/stats', '192.0.2.1')
      .set('X-Board-Source', 'board-monitor');
    return body.telemetry;
  }

  const read = (from: string, headers: Record<string, string> = {}) =>
    test.as(from).get('/api/threads').set(headers);

  it('count a network once a UTC day, whatever it reads', async () => {
    for (const path of ['/api/threads', '/all.txt', '/skill.md', '/api/top']) {
      await test.as('203.0.113.5').get(path).expect(200);
    }
    await read('203.0.113.6');
    expect(await sessions()).to.deep.equal({
      reader_sessions: 2,
      agent_sessions: 0,
      writer_sessions: 0,
    });
    test.clock.advance(DAY_MS);
    await read('203.0.113.5');
    expect((await sessions()).reader_sessions).to.equal(3);
  });

  it('do not count a read that failed, HEAD or the health checks', async () => {
    await test.as('203.0.113.7').get('/api/messages/9').expect(404);
    await test.as('203.0.113.8').head('/api/threads').expect(200);
    await test.as('203.0.113.9').get('/healthz').expect(200);
    expect((await sessions()).reader_sessions).to.equal(0);
  });

  it('are of agents by X-Agent-Name or a word of the User-Agent', async () => {
    await read('198.51.100.1', { 'X-Agent-Name': 'somebody' });
    await read('198.51.100.2', { 'User-Agent': 'Python-Requests/2.32' });
    await read('198.51.100.3', { 'User-Agent': 'Some-GPT-Crawler' });
    await read('198.51.100.4', { 'User-Agent': 'Mozilla/5.0 (X11) Firefox' });
    await read('198.51.100.5');
    await read('198.51.100.5', { 'X-Agent-Name': 'later' });
    expect(await sessions()).to.deep.equal({
      reader_sessions: 5,
      agent_sessions: 4,
      writer_sessions: 0,
    });
  });

  it('of monitoring do not count, and are no agent session', async () => {
    const monitor = { 'X-Board-Source': 'board-monitor' };
    const agent = { 'X-Agent-Name': 'a' };
    await read('198.51.100.1', { ...monitor, ...agent });
    await read('198.51.100.2', agent);
    await read('198.51.100.2', monitor);
    await read('198.51.100.3', { ...agent, 'X-Board-Source': 'else' });
    expect(await sessions()).to.deep.equal({
      reader_sessions: 2,
      agent_sessions: 1,
      writer_sessions: 0,
    });
  });

  it('are of writers once something of theirs was accepted', async () => {
    const none = { ticket: 'x', answer: 'x' };
    await submit(test, none, '198.51.100.1').expect(400);
    const { id } = (await publish(test, {}, '198.51.100.2')).message;
    await publish(test, { reply_to: id }, '198.51.100.2');
    await rate(test, id, 1, '198.51.100.3');
    expect((await sessions()).writer_sessions).to.equal(2);
  });

  it('never keep an address, and no name that outlives its day', async () => {
    const names: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      test.clock.advance(DAY_MS);
      await read('203.0.113.77');
      await test.flush(); // another process may count behind its answer
      const found = await rows(test).findBy(SessionDay, { day: today() });
      names.push(...found.map(({ network }) => network.toString('hex')));
    }
    expect(names).to.have.length(2);
    const [first, second] = names;
    expect(first).to.have.length(64);
    expect(first).not.to.equal(second);
    expect(first).not.to.include('cb00714d');
  });

  it('are written at stop, and added to by other processes', async () => {
    const other = await startBoard({
      databaseUrl: test.databaseUrl,
      clock: test.clock,
    });
    await other.as('203.0.113.5').get('/api/threads');
    await other.as('203.0.113.6').get('/api/threads');
    await other.stop();
    await read('203.0.113.5', { 'X-Agent-Name': 'a' });
    expect(await sessions()).to.include({
      reader_sessions: 2,
      agent_sessions: 1,
    });
  });

  it('keep their numbers when their day is folded away', async () => {
    const { jobs } = test.board.background;
    const folded = today();
    await read('203.0.113.5', { 'X-Agent-Name': 'a' });
    await publish(test, {}, '203.0.113.5');
    await read('203.0.113.6', { 'X-Board-Source': 'board-monitor' });
    const before = await sessions();
    const next = today();
    await jobs.runOnce('sweep');
    await read('203.0.113.5');
    await test.flush();
    test.clock.advance(DAY_MS);
    await jobs.runOnce('sweep');
    expect(await sessions()).to.deep.equal({ ...before, reader_sessions: 2 });
    await test.flush();
    const kept = new Set(
      (await rows(test).find(SessionDay)).map((it) => it.day),
    );
    expect([...kept].sort()).to.deep.equal([next, today()]);
    const total = await rows(test).findOneByOrFail(SessionTotal, {
      day: folded,
    });
    expect(total).to.include({
      ...{ readers: 1, agents: 1, writers: 1, networks: 1, affected: 0 },
    });
  });
});

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Exact and live, they told whether two posts are of one network. */
describe('What is told of the networks of today', () => {
  const test = givenBoard({ lifted: true, env: { ROLES: 'api' } });

  beforeEach(() => test.clock.advance(24 * HOUR_MS));

  const read = async (path: string) => {
    await test.flush();
    test.clock.advance(MINUTE_MS); // usefulness is computed once a minute
    return await test
      .get(path, '192.0.2.1')
      .set('X-Board-Source', 'board-monitor');
  };
  const shown = async () => {
    const { body } = await read('/api/stats');
    const { network_days: days } = (await read('/api/usefulness')).body;
    const { total, affected } = days;
    return { ...body.telemetry, total, affected };
  };

  it('does not change with a message, whoever writes', async () => {
    const before = await shown();
    for (const n of [1, 1, 2, 3, 1]) {
      await publish(test, {}, `198.51.100.${n}`);
      expect(await shown()).to.deep.equal(before);
    }
    test.clock.advance(HOUR_MS);
    // Fewer than ten.
    expect(await shown()).to.deep.equal(before);
  });

  it('is that of the last full hour, in tens', async () => {
    const before = await shown();
    for (let n = 1; n <= 25; n += 1) {
      const from = `203.0.113.${n}`;
      await test.as(from).get('/api/threads');
      if (n <= 12) await test.as(from).get('/api/messages/99999');
    }
    expect(await shown()).to.deep.equal(before);
    test.clock.advance(HOUR_MS);
    const later = {
      ...before,
      reader_sessions: before.reader_sessions + 20,
      total: before.total + 20,
      affected: before.affected + 10,
    };
    expect(await shown()).to.deep.equal(later);
    // What they do in this hour shows in the next one only.
    for (let n = 1; n <= 11; n += 1) {
      await publish(test, {}, `203.0.113.${n}`);
    }
    expect(await shown()).to.deep.equal(later);
    test.clock.advance(HOUR_MS);
    const last = { ...later, writer_sessions: later.writer_sessions + 10 };
    expect(await shown()).to.deep.equal(last);
    test.clock.advance(24 * HOUR_MS);
    // The day is over, and counted exactly.
    const whole = await shown();
    expect(whole.writer_sessions - before.writer_sessions).to.equal(11);
    expect(whole.reader_sessions - before.reader_sessions).to.equal(25);
    expect(whole.affected - before.affected).to.equal(12);
  });
});
