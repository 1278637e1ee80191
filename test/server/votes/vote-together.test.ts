import { expect } from 'chai';
import {
  type NewVote,
  recordVote,
  recordVotes,
} from '../../../server/votes/record-vote.sql.js';
import type { TestBoard } from '../../support/board.js';
import { publish } from '../../support/post.js';
import { scoreOf, storedVotes } from './rating.js';
import { topicForEachTest } from './topic.js';

const HIDDEN_AT = -3;
let voters = 0;

function vote(messageId: number, value: -1 | 1, voter?: Buffer): NewVote {
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

describe('Votes that are counted together', () => {
  let test: TestBoard;
  let topic: number;

  topicForEachTest((made, id) => {
    test = made;
    topic = id;
  });

  const together = (...votes: NewVote[]) =>
    recordVotes(test.board.context.writes, votes);

  it('have the scores they would have one after the other', async () => {
    const { id } = (await publish(test, { reply_to: topic })).message;
    const cast = await together(
      vote(topic, 1),
      vote(id, -1),
      vote(topic, 1),
      vote(topic, -1),
      vote(id, -1),
    );
    expect(cast.map((each) => each?.score)).to.deep.equal([1, -1, 2, 1, -2]);
    expect(cast.every((each) => each?.fresh && !each.hidden)).to.equal(true);
    expect(await scoreOf(test, topic)).to.equal(1);
    expect(await scoreOf(test, id)).to.equal(-2);
  });

  it('hide a topic that passes the mark on the way', async () => {
    const down = [1, 2, 3].map(() => vote(topic, -1));
    const cast = await together(...down, vote(topic, 1));
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
    const first = vote(topic, 1);
    const second = vote(topic, -1, first.voter);
    const cast = await together(first, second, vote(topic, 1));
    expect(cast.map((each) => each?.score)).to.deep.equal([1, undefined, 2]);
    expect(await together(second)).to.deep.equal([undefined]);
    expect(await storedVotes(test, topic)).to.have.length(2);
    expect(await scoreOf(test, topic)).to.equal(2);
  });

  it('leave out what is removed, not there, or held by another', async () => {
    const { id } = (await publish(test, { reply_to: topic })).message;
    await test.board.context.writes.transaction(async (tx) => {
      await recordVote(tx, vote(topic, 1));
      const cast = await together(
        vote(topic, 1),
        vote(999_999, 1),
        vote(id, 1),
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
