import { Ballot, PollEvent } from '../../../server/db/entities/poll.js';
import { closeDuePolls, closePoll } from '../../../server/polls/close-poll.js';
import { openPoll as openInTurn } from '../../../server/polls/open-poll.js';
import { recordFaults } from '../../faults/report.js';
import { FULL } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { freshNetwork, randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import {
  ballotTicket,
  castBallot,
  castUntilHeard,
  eventsOf,
  HOUR_MS,
  openPoll,
  pollEntries,
  read,
  SURVEY,
  storedBallots,
  UNLIMITED,
} from './polling.js';
import { untilWaiting } from './until-waiting.js';

const DAY = { duration_hours: 24 };
/** More than one batch of ballots takes. */
const AT_ONCE = FULL ? 200 : 80;
/** Each closes at another moment among the ballots. */
const DEADLINES = FULL
  ? Array.from({ length: 20 }, (_, n) => 10 + 9 * n)
  : [80];
const LATE = 10;
const ROUNDS = FULL ? 2 : 1;

describe('parallel ballots', () => {
  const test = givenBoard({ limits: UNLIMITED });

  it('of one network count once, whatever they choose', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await openPoll(test);
      const from = freshNetwork();
      const sends = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) =>
          ballotTicket(test, id, SURVEY.options[n % 3] ?? '', from),
        ),
      );
      const answers = await Promise.all(
        sends.map((send) => castUntilHeard(test, id, send, from)),
      );
      const [choice = -1, ...others] = await storedBallots(test, id);
      expect(others).to.deep.equal([]);
      const option = SURVEY.options[choice];
      answers.forEach(({ status, body }, n) => {
        const same = n % 3 === choice;
        expect(status).to.be.oneOf(same ? [200, 201] : [409]);
        const standing = same ? body : body.current;
        expect(standing).to.deep.include({ poll_id: id, option });
        expect(standing.tally.voters).to.equal(1);
      });
      const created = answers.filter(({ status }) => status === 201);
      expect(created).to.have.length(1);
      expect(await eventsOf(test, id)).to.have.length(2);
    }
  });

  it('of one request_id count once, from all networks', async () => {
    const { id } = await openPoll(test);
    const request_id = randomUUID();
    const voters = Array.from({ length: 60 }, freshNetwork);
    const sends = await Promise.all(
      voters.map((from, n) =>
        ballotTicket(test, id, n % 2 ? 'a' : 'b', from, request_id),
      ),
    );
    const answers = await Promise.all(
      sends.map((send, at) => castUntilHeard(test, id, send, voters[at])),
    );
    const [choice, ...others] = await storedBallots(test, id);
    expect(others).to.deep.equal([]);
    answers.forEach(({ status, body }, n) => {
      const same = (n % 2 ? 0 : 1) === choice;
      expect(status).to.be.oneOf(same ? [200, 201] : [409]);
      if (!same) expect(body.error).to.equal('request_id_conflict');
    });
  });

  it('are all taken before the deadline and none after (B9)', async () => {
    for (const at of DEADLINES) {
      const { id } = await openPoll(test, { ...SURVEY, ...DAY });
      const deadline = test.clock.now() + 24 * HOUR_MS;
      test.clock.set(deadline - 300_000);
      const voters = Array.from({ length: 200 }, freshNetwork);
      const sends = await Promise.all(
        voters.map((from, n) =>
          ballotTicket(test, id, SURVEY.options[n % 3] ?? '', from),
        ),
      );
      test.clock.set(deadline - 1);
      let answered = 0;
      let pass = () => {};
      const passed = new Promise<void>((resolve) => {
        pass = resolve;
      });
      const closers: Promise<{ closed: number }>[] = [];
      const answers = await Promise.all(
        sends.map(async (send, n) => {
          // Some set out too late, however many are taken at one time.
          if (n >= voters.length - LATE) await passed;
          const answer = await castUntilHeard(test, id, send, voters[n]);
          answered += 1;
          if (answered !== at) return answer;
          // The deadline passes while ballots are on their way.
          test.clock.set(deadline);
          pass();
          const { context } = test.board;
          closers.push(closeDuePolls(context), closeDuePolls(context));
          return answer;
        }),
      );
      const runs = await Promise.all(closers);
      expect(runs.map(({ closed }) => closed).sort()).to.deep.equal([0, 1]);
      const accepted = answers.filter(({ status }) => status <= 201);
      const refused = answers.filter(({ status }) => status > 201);
      expect(accepted.length).to.be.at.least(at);
      expect(refused.length).to.be.at.least(LATE);
      for (const { body } of refused) {
        expect(body.error).to.equal('poll_closed');
      }
      await checkBallots(id, accepted.length, deadline);
      const acked = accepted.length;
      await recordFaults({ test: 'B9', faults: sends.length, acked });
    }
  });

  async function checkBallots(
    id: number,
    accepted: number,
    deadline: number,
  ): Promise<void> {
    const ballots = await rows(test).findBy(Ballot, { pollId: id });
    expect(ballots).to.have.length(accepted);
    expect(Math.max(...ballots.map(({ at }) => at))).to.be.below(deadline);
    const counts = SURVEY.options.map(
      (_, place) => ballots.filter(({ choice }) => choice === place).length,
    );
    const { tally } = (await read(test, `/api/polls/${id}`)).body;
    expect(tally).to.deep.include({ counts, voters: accepted });
    const mine = (await pollEntries(test)).filter(({ poll }) => poll === id);
    expect(mine).to.have.length(1);
    expect(mine[0]).to.deep.include({ counts, voters: accepted });
    const events = await rows(test).find(PollEvent, {
      where: { pollId: id },
      order: { id: 1 },
    });
    expect(events.map(({ kind }) => kind)).to.deep.equal([
      'opened',
      ...ballots.map(() => 'vote_accepted'),
      'closed',
    ]);
  }
});

describe('a ballot at the deadline', () => {
  const test = givenBoard({ limits: UNLIMITED, ledger: false });

  it('waits for a batch that opens and closes, not in a circle', async () => {
    const { id } = await openPoll(test, { ...SURVEY, ...DAY });
    const from = freshNetwork();
    test.clock.advance(24 * HOUR_MS - 1);
    const send = await ballotTicket(test, id, 'a', from);
    let ballot: ReturnType<typeof castBallot> | undefined;
    const topic = await publish(test);
    const closed = await test.board.context.ledger.append(async (turn) => {
      // One job of a batch opens a poll, the next one closes another.
      await openInTurn(turn, topic.message.id, {
        type: 'survey',
        ...SURVEY,
        proposal: null,
        durationHours: 24,
      });
      ballot = castBallot(test, id, send, from);
      await untilWaiting(test, ballot);
      test.clock.advance(1);
      Object.assign(turn, { now: test.clock.now() });
      const done = await closePoll(turn, id, 3);
      return () => done;
    });
    expect(closed).to.equal(true);
    const answer = await ballot;
    expect(answer?.status).to.equal(409);
    expect(answer?.body.error).to.equal('poll_closed');
  });
});
