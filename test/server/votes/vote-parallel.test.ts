import { openTicket } from '../../../server/tickets/index.js';
import { votePath } from '../../../server/votes/preview-vote.js';
import {
  type NewVote,
  recordVote,
  recordVotes,
} from '../../../server/votes/record-vote.sql.js';
import { recordFaults } from '../../faults/report.js';
import { FULL } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';
import { filled, preview, publish, submit } from '../../support/post.js';
import { untilWaiting } from '../polls/until-waiting.js';
import {
  castRating,
  network,
  ratingTicket,
  scoreOf,
  storedVotes,
} from './rating.js';

const VOTERS = 200;
/** How many tickets the 200 votes of each round share. */
const TICKETS = [2, 4, 10, 20, VOTERS];
const ROUNDS = (FULL ? [...Array(10).keys()] : [0]).flatMap(() => TICKETS);

const HIDDEN_AT = -3;
let voters = 0;

function newVote(messageId: number, value: -1 | 1, voter?: Buffer): NewVote {
  voters += 1;
  const own = Buffer.alloc(32, voters);
  return {
    messageId,
    value,
    voter: voter ?? own,
    at: voters,
    hiddenScore: HIDDEN_AT,
  };
}

describe('parallel ratings', () => {
  const test = givenBoard({ lifted: true });
  let topic: number;

  beforeEach(async () => {
    topic = (await publish(test)).message.id;
  });

  it('count once for one network, whatever their signs (B3)', async () => {
    for (const tickets of ROUNDS) {
      const { id } = (await publish(test, { reply_to: topic })).message;
      const sends = await forMessage(id, tickets);
      const answers = await Promise.all(
        Array.from({ length: VOTERS }, (_, n) => {
          const send = sends[n % sends.length];
          return castRating(test, id, send ?? {});
        }),
      );
      const [vote] = await storedVotes(test, id);
      expect(await storedVotes(test, id)).to.have.length(1);
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).to.have.length(1);
      expect(new Set(statuses)).to.deep.equal(new Set([200, 201, 409]));
      for (const { body, status } of answers) {
        const standing = status === 409 ? body.current : body;
        expect(standing).to.deep.include({ vote, score: vote });
      }
      expect(await scoreOf(test, id)).to.equal(vote);
    }
    const faults = ROUNDS.length * VOTERS;
    await recordFaults({ test: 'B3', faults, acked: ROUNDS.length });
  });

  function forMessage(id: number, count: number) {
    return Promise.all(
      Array.from({ length: count }, (_, n) =>
        ratingTicket(test, id, n % 2 === 0 ? 1 : -1),
      ),
    );
  }

  it('are all counted when every network casts one (B4)', async () => {
    for (const vote of [1, -1] as const) {
      const { id } = (await publish(test, { reply_to: topic })).message;
      const voters = Array.from({ length: VOTERS }, (_, n) => network(n));
      const sends = await Promise.all(
        voters.map((from) => ratingTicket(test, id, vote, from)),
      );
      const answers = await Promise.all(
        sends.map((send, at) => castRating(test, id, send, voters[at])),
      );
      for (const { status } of answers) expect(status).to.equal(201);
      const scores = answers.map(({ body }) => Math.abs(body.score));
      expect(scores.sort((a, b) => a - b)).to.deep.equal(
        Array.from({ length: VOTERS }, (_, n) => n + 1),
      );
      expect(await scoreOf(test, id)).to.equal(vote * VOTERS);
      expect(await storedVotes(test, id)).to.have.length(VOTERS);
    }
  });

  it('never wait in a circle with a batch of the ledger', async () => {
    const { context } = test.board;
    const { ledger } = context;
    const send = await ratingTicket(test, topic, 1);
    const opened = openTicket(
      context,
      votePath(topic),
      String(send.ticket),
      test.clock.now(),
    );
    const voter = opened?.voter;
    let rating: ReturnType<typeof castRating> | undefined;
    // A reply to the topic, then one that rates it, in the same batch.
    const fresh = await ledger.append(async ({ tx, now }) => {
      await tx.query('UPDATE message SET reply_count = 1 WHERE id = $1', [
        topic,
      ]);
      rating = castRating(test, topic, send);
      await untilWaiting(test, rating);
      const hiddenScore = -3;
      const vote = { messageId: topic, voter, value: 1, at: now, hiddenScore };
      const cast = await recordVote(tx, vote as NewVote);
      return () => cast?.fresh;
    });
    expect(fresh).to.equal(true);
    const answer = await rating;
    expect(answer?.status).to.equal(200);
    expect(answer?.body.status).to.equal('already_voted');
    expect(await storedVotes(test, topic)).to.deep.equal([1]);
  });

  const together = (...votes: NewVote[]) =>
    recordVotes(test.board.context.writes, votes);

  it('have the scores, counted together, that they would have one after the other', async () => {
    const { id } = (await publish(test, { reply_to: topic })).message;
    const cast = await together(
      newVote(topic, 1),
      newVote(id, -1),
      newVote(topic, 1),
      newVote(topic, -1),
      newVote(id, -1),
    );
    expect(cast.map((each) => each?.score)).to.deep.equal([1, -1, 2, 1, -2]);
    expect(cast.every((each) => each?.fresh && !each.hidden)).to.equal(true);
    expect(await scoreOf(test, topic)).to.equal(1);
    expect(await scoreOf(test, id)).to.equal(-2);
  });

  it('counted together hide a topic that passes the mark on the way', async () => {
    const down = [1, 2, 3].map(() => newVote(topic, -1));
    const cast = await together(...down, newVote(topic, 1));
    expect(cast.map((each) => [each?.score, each?.hidden])).to.deep.equal([
      [-1, false],
      [-2, false],
      [-3, true],
      [-2, false],
    ]);
    const { body } = await test.as().get(`/api/thread/${topic}`);
    expect(body.visibility.state).to.equal('hidden_by_ratings');
  });

  it('counted together count a voter once and leave the second to be told', async () => {
    const first = newVote(topic, 1);
    const second = newVote(topic, -1, first.voter);
    const cast = await together(first, second, newVote(topic, 1));
    expect(cast.map((each) => each?.score)).to.deep.equal([1, undefined, 2]);
    expect(await together(second)).to.deep.equal([undefined]);
    expect(await storedVotes(test, topic)).to.have.length(2);
    expect(await scoreOf(test, topic)).to.equal(2);
  });

  it('counted together leave out what is removed, not there, or held by another', async () => {
    const { id } = (await publish(test, { reply_to: topic })).message;
    await test.board.context.writes.transaction(async (tx) => {
      await recordVote(tx, newVote(topic, 1));
      const cast = await together(
        newVote(topic, 1),
        newVote(999_999, 1),
        newVote(id, 1),
      );
      expect(cast.map((each) => each?.score)).to.deep.equal([
        undefined,
        undefined,
        1,
      ]);
    });
    expect(await scoreOf(test, topic)).to.equal(1);
  });
});

describe("a reply's vote", () => {
  const test = givenBoard({
    lifted: true,
    limits: { writes_per_board_minute: 3 },
  });

  it('is counted with its reply or not at all (I7)', async () => {
    const topic = (await publish(test)).message.id;
    const voters = Array.from({ length: 8 }, (_, n) => network(n));
    const previews = await Promise.all(
      voters.map((from) => preview(test, { reply_to: topic, vote: -1 }, from)),
    );
    const answers = await Promise.all(
      previews.map((previewed, at) =>
        submit(test, filled(previewed), voters[at]),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([201, 201, 429, 429, 429, 429, 429, 429]);
    expect(await scoreOf(test, topic)).to.equal(-2);
    expect(await storedVotes(test, topic)).to.deep.equal([-1, -1]);
    const thread = await test.as().get(`/api/thread/${topic}`);
    expect(thread.body.count).to.equal(3);
  });

  it('survives a neighbour in its batch that fails', async () => {
    test.clock.advance(60_001);
    const topic = (await publish(test)).message.id;
    const previewed = await preview(test, { reply_to: topic, vote: 1 });
    const { ledger } = test.board.context;
    const failing = () =>
      ledger.append(async ({ tx }) => {
        await tx.query('SELECT 1 / 0');
        return () => undefined;
      });
    const [before, answer, after] = await Promise.allSettled([
      failing(),
      submit(test, filled(previewed)),
      failing(),
    ]);
    expect(before.status).to.equal('rejected');
    expect(after.status).to.equal('rejected');
    if (answer.status === 'rejected') throw answer.reason;
    expect(answer.value.status).to.equal(201);
    expect(answer.value.body.vote.score).to.equal(1);
    expect(await storedVotes(test, topic)).to.deep.equal([1]);
  });
});
