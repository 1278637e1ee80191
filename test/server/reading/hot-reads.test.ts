import pg from 'pg';
import { boardRevision } from '../../../server/db/notifications.js';
import { FAST_PATHS } from '../../support/board.js';
import { watchStatements } from '../../support/database.js';
import { decideTo } from '../../support/decide.js';
import { withLimits } from '../../support/limits.js';
import { freshNetwork } from '../../support/random.js';
import { until } from '../../support/until.js';
import {
  ballotTicket,
  castBallot,
  openPoll,
  UNLIMITED,
} from '../polls/polling.js';
import { rate } from '../votes/rating.js';
import { givenReadable, reply, topic } from './fixture.js';

const READS = 12;
const OLD_MS = 1300;

describe('answers that are kept', () => {
  // Its clock stands still while a slow machine is asked again and again.
  const limits = { ...UNLIMITED, reads_per_network_minute: 1_000_000 };
  const test = givenReadable({ limits });
  let statements = 0;

  before(() => {
    watchStatements(test.board.context.reads, () => {
      statements += 1;
    });
  });

  const read = (path: string, headers: Record<string, string> = {}) =>
    test.as().get(path).set(headers);

  /** Reads until one was answered without the database; else the second. */
  const kept = async (
    path: string,
    headers: Record<string, string> = {},
    method: 'get' | 'head' = 'get',
  ) => {
    await read(path);
    let found: Awaited<ReturnType<typeof read>> | null = null;
    if (FAST_PATHS === 'off') return await test.as()[method](path).set(headers);
    await until('a kept answer', async () => {
      await read(path);
      const before = statements;
      const answer = await test.as()[method](path).set(headers);
      if (statements === before) found = answer;
      return found !== null;
    });
    if (found === null) throw new Error('not reached');
    return found as Awaited<ReturnType<typeof read>>;
  };

  const names = ({ headers }: { headers: object }) =>
    Object.keys(headers).sort();

  for (const query of ['', '?format=text', '?last=5&preview=20']) {
    it(`have the bytes and headers of the first one (${query})`, async () => {
      const id = await topic(test, { body: 'Kept — and told again.' });
      const path = `/api/thread/${id}${query}`;
      const first = await read(path);
      const again = await kept(path);
      expect(again.status).to.equal(200);
      expect(again.text).to.equal(first.text);
      expect(names(again)).to.deep.equal(names(first));
      const { date, ratelimit, ...same } = first.headers;
      expect(again.headers).to.deep.include(same);
      expect(ratelimit).to.match(/^"reads_per_network_minute";r=\d+;t=60$/);
    });
  }

  it('answer HEAD and 304 as the first one does', async () => {
    const path = `/api/thread/${await topic(test)}`;
    const { headers } = await read(path);
    const etag = String(headers.etag);
    const head = await kept(path, {}, 'head');
    expect(head.status).to.equal(200);
    expect(head.text ?? '').to.equal('');
    expect(head.headers['content-length']).to.equal(headers['content-length']);
    const tagged = { 'If-None-Match': `"other", W/${etag}` };
    const same = await kept(path, tagged);
    expect(same.status).to.equal(304);
    expect(same.headers).not.to.have.property('content-type');
    expect(same.headers).not.to.have.property('content-length');
    expect(same.headers).to.include.keys('ratelimit', 'etag', 'cache-control');
    const other = await kept(path, { 'If-None-Match': '"other"' });
    expect(other.status).to.equal(200);
  });

  it('never hide what this process has acknowledged', async () => {
    const id = await topic(test);
    const path = `/api/thread/${id}`;
    const last = `${path}?last=3`;
    const list = '/api/threads?sort=active';
    for (let n = 1; n <= READS; n += 1) {
      await Promise.all([read(last), read(list)]);
      const added = await reply(test, id);
      const { body } = await read(last);
      expect(body.cursor).to.equal(added);
      expect((await read(list)).body.cursor).to.equal(added);
    }
    for (let n = 1; n <= READS; n += 1) {
      await read(path);
      const cast = await rate(test, id, 1, `198.51.100.${n}`);
      expect(cast.status).to.equal(201);
      const { body } = await read(path);
      expect(body.data[0].score).to.equal(n);
    }
  });

  it('end with a decision on the topic', async () => {
    const id = await topic(test, { body: 'Not for long.' });
    const path = `/api/thread/${id}`;
    await kept(path);
    await decideTo.hide(test, id);
    expect((await kept(path)).body.visibility.hidden_by_decision).to.equal(
      true,
    );
    await decideTo.remove(test, id);
    expect((await kept(path)).text).not.to.include('Not for long.');
    await decideTo.reinstate(test, id);
    expect((await kept(path)).text).to.include('Not for long.');
  });

  it('count a ballot at once, and end with the poll', async () => {
    const poll = await openPoll(test, {
      question: 'Which one?',
      options: ['a', 'b'],
    });
    const path = `/api/thread/${poll.rootId}`;
    await kept(path);
    await castBallot(test, poll.id, await ballotTicket(test, poll.id, 'a'));
    const counted = await kept(path);
    expect(counted.body.poll.tally.counts).to.deep.equal([1, 0]);
    const closes = Date.parse(counted.body.poll.closes_at);
    test.clock.set(closes - 1);
    expect((await kept(path)).body.poll.state).to.equal('open');
    test.clock.set(closes);
    expect((await read(path)).body.poll.state).to.equal('closed');
    expect((await kept(path)).body.poll.state).to.equal('closed');
  });

  for (const state of ['heard', 'not heard for a while'] as const) {
    it(`end when another process writes and is ${state}`, async () => {
      const id = await topic(test);
      const path = `/api/thread/${id}`;
      await kept(path);
      const other = new pg.Client({ connectionString: test.databaseUrl });
      await other.connect();
      if (state !== 'heard') {
        await other.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name = 'reserve-board listener'
             AND datname = current_database()`,
        );
      }
      await other.query('UPDATE message SET score = 9 WHERE id = $1', [id]);
      await other.end();
      await until('the score of another process', async () => {
        const { body } = await read(path);
        return body.data[0].score === 9;
      });
      expect((await kept(path)).body.data[0].score).to.equal(9);
    });
  }

  it('leave errors and limits to the app', async () => {
    const id = await topic(test);
    const path = `/api/thread/${id}`;
    await withLimits(test, { reads_per_network_minute: 3 }, async (from) => {
      const left = [];
      for (let n = 0; n < 5; n += 1) {
        const { status, headers } = await test.as(from).get(path);
        left.push([status, headers.ratelimit?.split(';')[1]]);
      }
      expect(left).to.deep.equal([
        [200, 'r=2'],
        [200, 'r=1'],
        [200, 'r=0'],
        [429, 'r=0'],
        [429, 'r=0'],
      ]);
      expect((await test.as(freshNetwork()).get(path)).status).to.equal(200);
      await test.as('nonsense').get(path).expect(400);
      const posted = await test.as(freshNetwork()).post(path).send({});
      expect(posted.status).to.equal(405);
    });
  });

  if (FAST_PATHS === 'off') {
    it('are none', () => {
      expect(test.board.responseCache).to.equal(null);
    });
    return;
  }

  it('hold while events of dashboards are numbered', async () => {
    const { events, writes } = test.board.context;
    const path = `/api/thread/${await topic(test)}`;
    await until('a number that ended no answer', async () => {
      const before = boardRevision();
      let isWoken = false;
      void events.subscribe('admin').woken.then(() => {
        isWoken = true;
      });
      await until('it is heard', async () => {
        await read(path); // which brings a lost listener back
        await writes.query("SELECT pg_notify('board_admin', '')");
        return isWoken;
      });
      return boardRevision() === before;
    });
  });

  it('stay while other threads change', async () => {
    const cached = () => test.board.responseCache?.find(path) ?? null;
    const path = `/api/thread/${await topic(test)}`;
    const other = await topic(test);
    const changes = {
      'a reply': () => reply(test, other),
      'a topic': () => topic(test),
      'a vote': () => rate(test, other, 1, freshNetwork()),
      'a vote of another process': () =>
        test.board.context.reads.query(
          'UPDATE message SET score = score + 1 WHERE id = $1',
          [other],
        ),
    };
    for (const [what, change] of Object.entries(changes)) {
      await until(`an answer that ${what} elsewhere leaves`, async () => {
        await kept(path);
        const held = cached();
        const before = boardRevision();
        await change();
        await until('it is heard', () => boardRevision() > before);
        return held !== null && cached() === held;
      });
    }
    // The next ID: a text that names it has a reference then.
    const next = (await topic(test)) + 2;
    await reply(test, Number(path.split('/').at(-1)), `See #${next}.`);
    await kept(path);
    expect(await topic(test)).to.equal(next);
    expect((await read(path)).body.data[1].references).to.have.length(1);
  });

  it('hold for longer than a second when all was heard', async () => {
    const path = `/api/thread/${await topic(test)}`;
    const cached = () => test.board.responseCache?.find(path) ?? null;
    let held = cached();
    let since = performance.now();
    await until('one answer for more than a second', async () => {
      await read(path);
      const found = cached();
      if (found === null || found !== held) since = performance.now();
      held = found;
      return performance.now() - since > OLD_MS;
    });
    expect(held).not.to.equal(null);
  });
});
