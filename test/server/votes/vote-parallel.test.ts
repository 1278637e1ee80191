import { expect } from 'chai';
import { openTicket } from '../../../server/tickets/index.js';
import { votePath } from '../../../server/votes/preview-vote.js';
import {
  type NewVote,
  recordVote,
} from '../../../server/votes/record-vote.sql.js';
import { recordFaults } from '../../faults/report.js';
import type { TestBoard } from '../../support/board.js';
import { FULL } from '../../support/full.js';
import { boardForAllTests } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { filled, preview, publish } from '../../support/post.js';
import { untilWaiting } from '../polls/until-waiting.js';
import {
  castRating,
  network,
  ratingTicket,
  scoreOf,
  storedVotes,
} from './rating.js';
import { topicForEachTest } from './topic.js';

const VOTERS = 200;
/** How many tickets the 200 votes of each round share. */
const TICKETS = [2, 4, 10, 20, VOTERS];
const ROUNDS = (FULL ? [...Array(10).keys()] : [0]).flatMap(() => TICKETS);

describe('parallel ratings', () => {
  let test: TestBoard;
  let topic: number;

  topicForEachTest((made, id) => {
    test = made;
    topic = id;
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

  /** Tickets of one network, half of them for each sign. */
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

  it('count once beside replies with the same vote', async () => {
    const voters = Array.from({ length: 12 }, (_, n) => network(1000 + n));
    for (let round = 0; round < 4; round += 1) {
      const { id } = (await publish(test)).message;
      const ratings = await Promise.all(
        voters.map((from) => ratingTicket(test, id, 1, from)),
      );
      const replies = await Promise.all(
        voters.map((from) => preview(test, { reply_to: id, vote: 1 }, from)),
      );
      const answers = await Promise.all(
        voters.flatMap((from, at) => [
          castRating(test, id, ratings[at] ?? {}, from),
          test
            .as(from)
            .post('/write/publish')
            .send(filled(replies[at] as Parameters<typeof filled>[0])),
        ]),
      );
      for (const { status, text } of answers) {
        expect(status, text).to.be.oneOf([200, 201]);
      }
      expect(await scoreOf(test, id)).to.equal(voters.length);
      expect(await storedVotes(test, id)).to.have.length(voters.length);
      // Each vote was counted by the rating or by the reply, not by both.
      const counted = answers.filter(({ status, body }) =>
        body.message === undefined
          ? status === 201
          : body.vote.status === 'published',
      );
      expect(counted).to.have.length(voters.length);
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
});

describe("a reply's vote", () => {
  let test: TestBoard;

  boardForAllTests(
    {
      limits: { ...LIFTED, writes_per_board_minute: 3 },
    },
    (made) => {
      test = made;
    },
  );

  it('is counted with its reply or not at all (I7)', async () => {
    const topic = (await publish(test)).message.id;
    const voters = Array.from({ length: 8 }, (_, n) => network(n));
    const previews = await Promise.all(
      voters.map((from) => preview(test, { reply_to: topic, vote: -1 }, from)),
    );
    const answers = await Promise.all(
      previews.map((previewed, at) =>
        test.as(voters[at]).post('/write/publish').send(filled(previewed)),
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
      test.as().post('/write/publish').send(filled(previewed)),
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
