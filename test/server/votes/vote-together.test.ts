import { expect } from 'chai';
import {
  castVote,
  type TicketRating,
} from '../../../server/votes/record-vote.js';
import { castTogether } from '../../../server/votes/record-votes.js';
import type { TestBoard } from '../../support/board.js';
import { publish } from '../../support/post.js';
import { scoreOf, storedVotes } from './rating.js';
import { topicForEachTest } from './topic.js';

const HIDDEN_AT = -3;
let voters = 0;

function rating(
  messageId: number,
  value: -1 | 1,
  voter?: Buffer,
): TicketRating {
  voters += 1;
  const own = Buffer.alloc(32, voters);
  return {
    messageId,
    value,
    voter: voter ?? own,
    at: voters,
    hiddenScore: HIDDEN_AT,
    ticketHash: own,
  };
}

describe('ratings that are counted together', () => {
  let test: TestBoard;
  let topic: number;

  topicForEachTest((made, id) => {
    test = made;
    topic = id;
  });

  const together = (...ratings: TicketRating[]) =>
    castTogether(test.board.context.writes, ratings, HIDDEN_AT);

  it('have the scores they would have one after the other', async () => {
    const { id } = (await publish(test, { reply_to: topic })).message;
    const cast = await together(
      rating(topic, 1),
      rating(id, -1),
      rating(topic, 1),
      rating(topic, -1),
      rating(id, -1),
    );
    expect(cast.map((each) => each?.score)).to.deep.equal([1, -1, 2, 1, -2]);
    expect(cast.every((each) => each?.fresh && !each.hidden)).to.equal(true);
    expect(await scoreOf(test, topic)).to.equal(1);
    expect(await scoreOf(test, id)).to.equal(-2);
  });

  it('hide a topic that passes the mark on the way', async () => {
    const down = [1, 2, 3].map(() => rating(topic, -1));
    const cast = await together(...down, rating(topic, 1));
    expect(cast.map((each) => [each?.score, each?.hidden])).to.deep.equal([
      [-1, false],
      [-2, false],
      [-3, true],
      [-2, false],
    ]);
    const { body } = await test.as().get(`/api/thread/${topic}`);
    expect(body.visibility.state).to.equal('hidden_by_ratings');
  });

  it('count a voter once and leave the second to be told', async () => {
    const first = rating(topic, 1);
    const second = rating(topic, -1, first.voter);
    const cast = await together(first, second, rating(topic, 1));
    expect(cast.map((each) => each?.score)).to.deep.equal([1, undefined, 2]);
    expect(await together(second)).to.deep.equal([undefined]);
    expect(await storedVotes(test, topic)).to.have.length(2);
    expect(await scoreOf(test, topic)).to.equal(2);
  });

  it('leave out what is removed, not there, or held by another', async () => {
    const { id } = (await publish(test, { reply_to: topic })).message;
    await test.board.context.writes.transaction(async (tx) => {
      await castVote(tx, rating(topic, 1));
      const cast = await together(
        rating(topic, 1),
        rating(999_999, 1),
        rating(id, 1),
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
