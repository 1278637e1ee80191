import { expect } from 'chai';
import pg from 'pg';
import { closeDuePolls } from '../../../server/polls/close-poll.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { freshNetwork } from '../../support/fresh-network.js';
import { until } from '../../support/until.js';
import { expectRefusal } from '../posting/refusals.js';
import { HOUR_MS, openPoll, read, UNLIMITED, vote } from './polling.js';

const PATH = '/api/polls/updates';

describe('waiting for poll events', () => {
  let test: TestBoard;
  let other: TestBoard;
  let poll: number;

  beforeEach(async () => {
    test = await startBoard({ limits: UNLIMITED });
    other = await startBoard({
      limits: UNLIMITED,
      clock: test.clock,
      databaseUrl: test.databaseUrl,
    });
    poll = (await openPoll(test)).id;
  });

  afterEach(async () => {
    await other.stop();
    await test.stop();
  });

  /** A long poll that is known to wait. */
  async function waiting(board: TestBoard, query: string) {
    const before = await board.waits('polls');
    const answer = read(board, `${PATH}?wait=25&${query}`);
    await until(
      'one more',
      async () => (await board.waits('polls')) === before + 1,
    );
    return { answer };
  }

  it('ends with a ballot, a closing or an opening, on any process', async () => {
    let cursor = 1;
    const steps: [string, () => Promise<unknown>][] = [
      ['vote_accepted', () => vote(test, poll, 'a', freshNetwork())],
      ['opened', () => openPoll(test)],
      ['vote_accepted', () => vote(other, poll, 'a', freshNetwork())],
      [
        'closed',
        () => {
          test.clock.advance(721 * HOUR_MS);
          return closeDuePolls(test.board.context);
        },
      ],
    ];
    for (const [kind, step] of steps) {
      const waits = [
        await waiting(test, `since=${cursor}`),
        await waiting(other, `since=${cursor}`),
      ];
      await step();
      for (const { answer } of waits) {
        const { body } = await answer;
        expect(body.data[0]).to.deep.include({ id: cursor + 1, kind });
      }
      const { body } = await read(test, `${PATH}?since=${cursor}`);
      cursor = body.cursor;
    }
  });

  it('is told of by NOTIFY when other processes commit', async () => {
    const client = new pg.Client({ connectionString: test.databaseUrl });
    await client.connect();
    try {
      await client.query('LISTEN board_polls');
      const told = new Promise((resolve) => {
        client.once('notification', ({ channel }) => resolve(channel));
      });
      await vote(test, poll, 'a', freshNetwork());
      expect(await told).to.equal('board_polls');
    } finally {
      await client.end();
    }
  });

  it('goes on past the events of other polls', async () => {
    const mine = (await openPoll(test)).id;
    const { answer } = await waiting(test, `since=2&poll_id=${mine}`);
    await vote(test, poll, 'a', freshNetwork());
    await vote(test, mine, 'b', freshNetwork());
    const { body } = await answer;
    expect(body.count).to.equal(1);
    expect(body.data[0].data.option).to.equal('b');
    expect(body.cursor).to.equal(4);
  });

  it('ends empty with the sent cursor when its time is over', async () => {
    const started = performance.now();
    const { status, body } = await read(test, `${PATH}?since=1&wait=1`);
    expect(performance.now() - started).to.be.at.least(950);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ count: 0, cursor: 1, next: null });
    expect(await test.waits('polls')).to.equal(0);
  });

  it('ends when the board stops, the cursor unchanged', async () => {
    const { answer } = await waiting(other, 'since=1');
    const stopped = other.stop();
    const { status, body } = await answer;
    expect(status).to.equal(200);
    expect(body).to.deep.include({ count: 0, cursor: 1 });
    await stopped;
  });

  it('gives its place back when the client goes', async () => {
    const gone = new AbortController();
    const request = fetch(`${test.url}${PATH}?since=1&wait=25`, {
      headers: { 'X-Forwarded-For': freshNetwork() },
      signal: gone.signal,
    }).catch(() => 'gone');
    await until('it waiting', async () => (await test.waits('polls')) === 1);
    gone.abort();
    expect(await request).to.equal('gone');
    await until('nobody', async () => (await test.waits('polls')) === 0);
  });
});

describe('the places to wait', () => {
  it('are those of the board: one too many is refused', async () => {
    const test = await startBoard({ limits: { waits_per_network: 2 } });
    try {
      const path = `${PATH}?since=0&wait=25`;
      const hold = () =>
        test
          .as()
          .get(path)
          .then((answer) => answer);
      const held = [hold(), hold()];
      await until('two places', async () => (await test.waits('places')) === 2);
      const refused = await test.as().get(`${PATH}?since=0&wait=1`);
      expectRefusal(refused, {
        status: 429,
        error: 'rate_limited',
        scope: 'waits_per_network',
      });
      await openPoll(test);
      for (const { status } of await Promise.all(held)) {
        expect(status).to.equal(200);
      }
      expect((await test.as().get(path)).body.count).to.equal(1);
    } finally {
      await test.stop();
    }
  });
});
