import { expect } from 'chai';
import {
  type HeldQuery,
  holdQuery,
  type Query,
} from '../../support/held-query.js';
import { until } from '../../support/until.js';
import { get, givenReadable, ids, replies, topic } from './fixture.js';

/** Another process had shown it what this one did not know of yet. */
describe('a reader that waits ahead of this process', () => {
  const test = givenReadable();

  /** Holds the next page above a message back. */
  function holdPage(since: number): HeldQuery {
    const reads = test.board.context.reads as { query: Query };
    return holdQuery(
      reads,
      (text, values) => text.includes('log_state head') && values[0] === since,
    );
  }

  it('misses nothing that came while it was looked for', async () => {
    const root = await topic(test);
    const ahead = root + 2;
    const wait = (since: number) =>
      get(test, `/api/updates?since=${since}&wait=25`).then((answer) => answer);
    const waiting = [wait(root), wait(ahead)] as const;
    const { events } = test.board.context;
    await until('both held', () => events.waiters('messages') === 2);
    const forAll = holdPage(root);
    const forOne = holdPage(ahead);
    try {
      const published = await replies(test, root, 3);
      await until('a look for all', () => forAll.held() === 1);
      forAll.release();
      await until('a look for the one', () => forOne.held() === 1);
      await replies(test, root, 1);
      const [first, second] = await Promise.all(waiting);
      expect(ids(first)).to.deep.equal(published);
      expect(ids(second)[0]).to.equal(ahead + 1);
    } finally {
      for (const held of [forOne, forAll]) {
        held.release();
        held.remove();
      }
    }
  });
});
