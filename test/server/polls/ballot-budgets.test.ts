import { DAY_MS, utcDayStart } from '../../../server/clock.js';
import type { LimitName } from '../../../server/limits.js';
import { recordFaults } from '../../faults/report.js';
import { givenBoard } from '../../support/hooks.js';
import { freshNetwork, randomUUID } from '../../support/random.js';
import { expectRefusal, retryAfter } from '../posting/refusals.js';
import {
  type Answer,
  ballotTicket,
  castBallot,
  castUntilHeard,
  HOUR_MS,
  openPoll,
  previewBallot,
  vote,
} from './polling.js';

function expectLimited(answer: Answer, scope: LimitName, wait: number): void {
  expectRefusal(answer, { status: 429, error: 'rate_limited', scope });
  expect(retryAfter(answer)).to.equal(wait);
}

function count(answers: readonly Answer[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

describe('the budgets of ballots', () => {
  // Those of ballots are the specification's.
  const test = givenBoard({ lifted: true, limits: { open_polls_max: 10_000 } });

  /** An hour in which nothing is spent. */
  beforeEach(() => test.clock.advance(2 * HOUR_MS));

  async function polls(length: number): Promise<number[]> {
    const opened = Array.from({ length }, () => openPoll(test));
    return (await Promise.all(opened)).map(({ id }) => id);
  }

  it('are 3 a minute for a network, across polls, rolling', async () => {
    const ids = await polls(5);
    const from = freshNetwork();
    const sends = await Promise.all(
      ids.map((id) => ballotTicket(test, id, 'a', from)),
    );
    const cast = (at: number) =>
      castBallot(test, ids[at] ?? 0, sends[at] ?? {}, from);
    for (const at of [0, 1, 2]) {
      await cast(at).expect(201);
      test.clock.advance(10_000);
    }
    const scope = 'ballots_per_network_minute';
    // The preview knows it (spec/board.md §16.14).
    const known = await previewBallot(
      test,
      ids[3] ?? 0,
      { option: 'a', request_id: randomUUID() },
      from,
    );
    expect(known.headers.ratelimit).to.include(`"${scope}";r=0;t=30`);
    expect(known.body.warnings).to.have.length(1);
    expect(known.body.warnings[0]).to.deep.include({
      code: 'ballots_exhausted',
      scope,
      wait_seconds: 30,
    });
    expectLimited(await cast(3), scope, 30);
    // Exact retries are no new ballots, and other networks have their own.
    await cast(0).expect(200);
    expect(
      (await vote(test, ids[3] ?? 0, 'b', freshNetwork())).status,
    ).to.equal(201);
    test.clock.advance(30_000 - 1);
    expectLimited(await cast(3), scope, 1);
    test.clock.advance(1);
    await cast(3).expect(201);
    expectLimited(await cast(4), scope, 10);
  });

  it('stand in the RateLimit header of each answer, counted with it', async () => {
    const { id } = await openPoll(test);
    const from = freshNetwork();
    const left = ({ headers }: Answer) => headers.ratelimit;
    const body = { option: 'a', request_id: randomUUID() };
    const failed = '"failed_tickets_per_network";r=100';
    const casting =
      '"ballot_attempts_per_network_minute";r=60, "ballots_per_network_minute";r=3, "ballots_per_network_hour";r=20';
    for (const r of [59, 58]) {
      expect(left(await previewBallot(test, id, body, from))).to.equal(
        `"ballot_previews_per_network_hour";r=${r};t=3600, ${failed}, ${casting}`,
      );
    }
    const send = await ballotTicket(test, id, 'a', from);
    const cast = () => castBallot(test, id, send, from);
    expect(left(await cast().expect(201))).to.equal(
      `"ballot_attempts_per_network_minute";r=59;t=60, "ballots_per_network_minute";r=2;t=60, "ballots_per_network_hour";r=19;t=3600, ${failed}`,
    );
    test.clock.advance(10_000);
    expect(left(await cast().expect(200))).to.equal(
      '"ballot_attempts_per_network_minute";r=58;t=50, "ballots_per_network_minute";r=2;t=50, "ballots_per_network_hour";r=19;t=3590',
    );
  });

  it('are 20 an hour for a network, midnight or not', async () => {
    const ids = await polls(21);
    const from = freshNetwork();
    const midnight = utcDayStart(test.clock.now()) + DAY_MS;
    test.clock.set(midnight - HOUR_MS / 2);
    for (const id of ids.slice(0, 20)) {
      expect((await vote(test, id, 'a', from)).status).to.equal(201);
      test.clock.advance(20_000); // three a minute
    }
    const last = ids[20] ?? 0;
    test.clock.set(midnight + HOUR_MS / 3);
    const scope = 'ballots_per_network_hour';
    expectLimited(await vote(test, last, 'a', from), scope, 600);
    test.clock.set(midnight + HOUR_MS / 2);
    expect((await vote(test, last, 'a', from)).status).to.equal(201);
  });

  it('are 60 a minute for the board, also for 80 at once', async () => {
    const [id = 0] = await polls(1);
    const voters = Array.from({ length: 80 }, freshNetwork);
    const sends = await Promise.all(
      voters.map((from) => ballotTicket(test, id, 'a', from)),
    );
    const answers = await Promise.all(
      sends.map((send, at) => castUntilHeard(test, id, send, voters[at])),
    );
    expect(count(answers, 201)).to.equal(60);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectLimited(answer, 'ballots_per_board_minute', 60);
    }
    test.clock.advance(60_000);
    const again = await Promise.all(
      sends.map((send, at) => castUntilHeard(test, id, send, voters[at])),
    );
    expect([count(again, 200), count(again, 201)]).to.deep.equal([60, 20]);
    await recordFaults({ test: 'B5 ballots', faults: 160, acked: 80 });
  });

  it('let a network preview 60 times an hour', async () => {
    const [id = 0] = await polls(1);
    const from = freshNetwork();
    const preview = (body: object) => previewBallot(test, id, body, from);
    const send = { option: 'a', request_id: randomUUID() };
    // Refused by their form: nothing is spent.
    expect((await preview({ option: 'a' })).status).to.equal(400);
    expect((await preview({ ...send, x: 1 })).status).to.equal(400);
    // Well-formed, but no option, or no poll: spent.
    const spent = [
      await preview({ ...send, option: 'none' }),
      await previewBallot(test, 999_999, send, from),
    ];
    expect(spent.map(({ status }) => status)).to.deep.equal([400, 404]);
    const answers = await Promise.all(
      Array.from({ length: 70 }, () => preview(send)),
    );
    expect([count(answers, 200), count(answers, 429)]).to.deep.equal([58, 12]);
    test.clock.advance(HOUR_MS - 60_000);
    expectLimited(await preview(send), 'ballot_previews_per_network_hour', 60);
    test.clock.advance(60_000);
    expect((await preview(send)).status).to.equal(200);
  });

  it('let the board preview 300 times a minute, and spend nothing of a network then', async () => {
    const [id = 0] = await polls(1);
    const send = { option: 'a', request_id: randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 310 }, () =>
        previewBallot(test, id, send, freshNetwork()),
      ),
    );
    expect([count(answers, 200), count(answers, 429)]).to.deep.equal([300, 10]);
    await recordFaults({ test: 'B5 ballot previews', faults: 310 });
    const from = freshNetwork();
    for (let n = 0; n < 5; n += 1) {
      const late = await previewBallot(test, id, send, from);
      expectLimited(late, 'ballot_previews_per_board_minute', 60);
    }
    test.clock.advance(60_000);
    const { headers } = await previewBallot(test, id, send, from).expect(200);
    expect(headers.ratelimit).to.include(
      '"ballot_previews_per_network_hour";r=59',
    );
  });

  it('let a network submit 60 times a minute, exact retries too', async () => {
    const [id = 0] = await polls(1);
    const from = freshNetwork();
    const send = await ballotTicket(test, id, 'a', from);
    await castBallot(test, id, { ticket: 'x' }, from).expect(400);
    const bad = await castBallot(test, id, { ticket: 'x', answer: 'x' }, from);
    expect(bad.body.error).to.equal('ticket_invalid');
    const answers = await Promise.all(
      Array.from({ length: 70 }, () => castBallot(test, id, send, from)),
    );
    expect(count(answers, 201)).to.equal(1);
    expect([count(answers, 200), count(answers, 429)]).to.deep.equal([58, 11]);
    const scope = 'ballot_attempts_per_network_minute';
    expectLimited(await castBallot(test, id, send, from), scope, 60);
  });

  it('let the board take 300 submissions a minute', async () => {
    const [id = 0] = await polls(1);
    const send = { ticket: 'x', answer: 'x' };
    const answers = await Promise.all(
      Array.from({ length: 310 }, () =>
        castBallot(test, id, send, freshNetwork()),
      ),
    );
    expect([count(answers, 400), count(answers, 429)]).to.deep.equal([300, 10]);
    await recordFaults({ test: 'B5 ballot attempts', faults: 310 });
    const late = await castBallot(test, id, send, freshNetwork());
    expectLimited(late, 'ballot_attempts_per_board_minute', 60);
  });
});
