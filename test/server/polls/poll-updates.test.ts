import pg from 'pg';
import { closeDuePolls } from '../../../server/polls/close-poll.js';
import { BASE_URL, startBoard, type TestBoard } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { freshNetwork } from '../../support/random.js';
import { until } from '../../support/until.js';
import { untilHeard } from '../../support/until-heard.js';
import {
  type Answer,
  ballotTicket,
  castUntilHeard,
  eventsOf,
  HOUR_MS,
  openPoll,
  type PollEvent,
  read,
  SURVEY,
  UNLIMITED,
  vote,
  votes,
} from './polling.js';

const PATH = '/api/polls/updates';

describe('waiting for poll events', () => {
  const limits = { ...UNLIMITED, waits_per_network: 2 };
  const test = givenBoard({ limits });
  let other: TestBoard;
  let poll: number;
  let cursor: number;

  before(async () => {
    const { clock, databaseUrl } = test;
    other = await startBoard({ limits, clock, databaseUrl });
  });

  after(() => other.stop());

  beforeEach(async () => {
    poll = (await openPoll(test)).id;
    cursor = (await eventsOf(test, poll))[0]?.id ?? 0;
  });

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
    const { answer } = await waiting(
      test,
      `since=${cursor + 1}&poll_id=${mine}`,
    );
    await vote(test, poll, 'a', freshNetwork());
    await vote(test, mine, 'b', freshNetwork());
    const { body } = await answer;
    expect(body.count).to.equal(1);
    expect(body.data[0].data.option).to.equal('b');
    expect(body.cursor).to.equal(cursor + 3);
  });

  it('ends empty with the sent cursor when its time is over', async () => {
    const started = performance.now();
    const { status, body } = await read(test, `${PATH}?since=${cursor}&wait=1`);
    expect(performance.now() - started).to.be.at.least(950);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ count: 0, cursor, next: null });
    expect(await test.waits('polls')).to.equal(0);
  });

  it('ends when the board stops, the cursor unchanged', async () => {
    const { answer } = await waiting(other, `since=${cursor}`);
    const again = other.restart();
    const { status, body } = await answer;
    expect(status).to.equal(200);
    expect(body).to.deep.include({ count: 0, cursor });
    await again;
  });

  it('gives its place back when the client goes', async () => {
    const gone = new AbortController();
    const request = fetch(`${test.url}${PATH}?since=${cursor}&wait=25`, {
      headers: { 'X-Forwarded-For': freshNetwork() },
      signal: gone.signal,
    }).catch(() => 'gone');
    await until('it waiting', async () => (await test.waits('polls')) === 1);
    gone.abort();
    expect(await request).to.equal('gone');
    await until('nobody', async () => (await test.waits('polls')) === 0);
  });

  it('misses none for a reader, and shows none twice, while many commit', async () => {
    const { cursor: start } = (await read(test, `${PATH}?since=${cursor}`))
      .body;
    let writing = true;
    const readers: Promise<void>[] = [];
    try {
      const polls = await Promise.all(
        Array.from({ length: 6 }, () => openPoll(test)),
      );
      const seen: PollEvent[] = [];
      const reader = async (board: TestBoard, into: PollEvent[]) => {
        let since = start;
        for (let last = false; ; last = !writing) {
          const { body } = await untilHeard(() =>
            read(board, `${PATH}?since=${since}&limit=7`),
          );
          into.push(...body.data);
          since = body.cursor;
          if (last && body.count === 0) return;
        }
      };
      const elsewhere: PollEvent[] = [];
      readers.push(reader(test, seen), reader(other, elsewhere));
      await Promise.all(
        Array.from({ length: 16 }, async (_, worker) => {
          const board = worker % 2 ? test : other;
          for (let n = 0; n < 6; n += 1) {
            const { id } = polls[(worker + n) % polls.length] ?? { id: 0 };
            const option = SURVEY.options[n % 3] ?? '';
            const from = freshNetwork();
            const send = await ballotTicket(board, id, option, from);
            const { status } = await castUntilHeard(board, id, send, from);
            expect(status).to.equal(201);
            if (n === 3) await openPoll(board);
          }
        }),
      );
      writing = false;
      await Promise.all(readers);
      const total = 6 + 16 * 6 + 16;
      const ids = Array.from({ length: total }, (_, n) => start + n + 1);
      expect(seen.map(({ id }) => id)).to.deep.equal(ids);
      expect(elsewhere).to.deep.equal(seen);
      // Every event's counts are its predecessor's and one ballot more.
      for (const { id } of polls) {
        const tallies = seen
          .filter(({ poll_id, kind }) => poll_id === id && kind !== 'opened')
          .map(({ data }) => data.voters);
        expect(tallies).to.deep.equal(tallies.map((_, n) => n + 1));
      }
    } finally {
      writing = false;
      await Promise.allSettled(readers); // also when a writer failed
    }
  });
});

function kindsOf({ body }: Answer): string[] {
  return body.data.map(({ kind }: PollEvent) => kind);
}

describe('GET /api/polls/updates', () => {
  const test = givenBoard({ limits: UNLIMITED });
  let first: number;
  let second: number;

  before(async () => {
    const short = { ...SURVEY, duration_hours: 24 };
    first = (await openPoll(test, short)).id;
    test.clock.advance(1000);
    second = (await openPoll(test)).id;
    await votes(test, first, ['a']);
    await votes(test, second, ['b']);
    await votes(test, first, ['a', 'c']);
    test.clock.advance(24 * HOUR_MS);
    await closeDuePolls(test.board.context);
  });

  it('tells what happened, in order and without gaps', async () => {
    const answer = await read(test, `${PATH}?limit=100`);
    expect(answer.headers['cache-control']).to.equal('no-store');
    expect(answer.headers).not.to.have.property('etag');
    const { data, community, ...rest } = answer.body;
    expect(rest).to.deep.equal({
      count: 7,
      cursor: 7,
      has_more: false,
      next: null,
      content_trust: 'untrusted_public_data',
    });
    expect(community.rules_url).to.equal(`${BASE_URL}/rules.md`);
    const start = Date.UTC(2026, 0, 15, 12);
    const time = (seconds: number) =>
      new Date(start + seconds * 1000).toISOString().replace('.000Z', 'Z');
    const DAY = 24 * 3600;
    const counted = (option: string, ...counts: number[]) => {
      const voters = counts.reduce((sum, count) => sum + count, 0);
      return { option, counts, voters };
    };
    const outcome = { result: 'selected', winner: 'a', counts: [2, 0, 1] };
    const due = [
      [first, 'opened', 0, { closes_at: time(DAY) }],
      [second, 'opened', 1, { closes_at: time(30 * DAY + 1) }],
      [first, 'vote_accepted', 1, counted('a', 1, 0, 0)],
      [second, 'vote_accepted', 1, counted('b', 0, 1, 0)],
      [first, 'vote_accepted', 1, counted('a', 2, 0, 0)],
      [first, 'vote_accepted', 1, counted('c', 2, 0, 1)],
      [first, 'closed', DAY + 1, outcome],
    ] as const;
    expect(data).to.deep.equal(
      due.map(([poll_id, kind, seconds, it], at) => ({
        ...{ id: at + 1, poll_id, root_id: poll_id === first ? 1 : 2, kind },
        ...{ created_at: time(seconds), data: it },
      })),
    );
  });

  it('selects one poll and goes on from a cursor', async () => {
    const one = await read(test, `${PATH}?poll_id=${second}`);
    expect(kindsOf(one)).to.deep.equal(['opened', 'vote_accepted']);
    expect(one.body.cursor).to.equal(4);
    const later = await read(test, `${PATH}?since=5`);
    expect(kindsOf(later)).to.deep.equal(['vote_accepted', 'closed']);
    const unknown = await read(test, `${PATH}?poll_id=999`);
    expect(unknown.body).to.deep.include({ count: 0, cursor: 0 });
  });

  it('pages by limit and next', async () => {
    const page = await read(test, `${PATH}?limit=3&poll_id=${first}`);
    expect(page.body).to.deep.include({
      count: 3,
      cursor: 5,
      has_more: true,
      next: `${BASE_URL}${PATH}?since=5&poll_id=${first}&limit=3`,
    });
    const rest = await read(test, page.body.next.replace(BASE_URL, ''));
    expect(kindsOf(rest)).to.deep.equal(['vote_accepted', 'closed']);
    expect(rest.body.next).to.equal(null);
    const waiting = await read(test, `${PATH}?limit=1&wait=25`);
    expect(waiting.body.next).to.equal(
      `${BASE_URL}${PATH}?since=1&limit=1&wait=25`,
    );
  });

  it('keeps the cursor that was sent when there is nothing', async () => {
    for (const since of [7, 8, 999_999_999_999_999]) {
      const { status, body } = await read(test, `${PATH}?since=${since}`);
      expect(status).to.equal(200);
      expect(body).to.deep.include({
        data: [],
        count: 0,
        cursor: since,
        has_more: false,
        next: null,
      });
    }
  });
});
