import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';
import { bothWays } from '../../support/both-ways.js';
import { until } from '../../support/until.js';
import { get, ids, replies, startReadable, topic } from './fixture.js';

type Query = (text: string, values: unknown[]) => Promise<unknown[]>;

/** Another process had shown it what this one did not know of yet. */
bothWays('a reader that waits ahead of this process', (fastPaths) => {
  let test: TestBoard;

  before(async () => {
    test = await startReadable({ fastPaths });
  });

  after(() => test.stop());

  /** Keeps the next page above a message back; answers how to let it go. */
  function keepBack(since: number): { isKept: () => boolean; go: () => void } {
    const reads = test.board.context.reads as { query: Query };
    const { query } = reads;
    let go = () => {};
    let isKept = false;
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    reads.query = async (text, values) => {
      const isIt = text.includes('log_state head') && values[0] === since;
      if (isIt && !isKept) {
        isKept = true;
        await gone;
      }
      return await query(text, values);
    };
    return { isKept: () => isKept, go };
  }

  it('misses nothing that came while it was looked for', async () => {
    const reads = test.board.context.reads as { query: Query };
    const { query } = reads;
    const root = await topic(test);
    const ahead = root + 2;
    const wait = (since: number) =>
      get(test, `/api/updates?since=${since}&wait=25`).then((answer) => answer);
    const waiting = [wait(root), wait(ahead)] as const;
    const { events } = test.board.context;
    await until('both held', () => events.waiters('messages') === 2);
    try {
      const forAll = keepBack(root);
      const forOne = keepBack(ahead);
      const published = await replies(test, root, 3);
      await until('a look for all', forAll.isKept);
      forAll.go();
      await until('a look for the one', forOne.isKept);
      await replies(test, root, 1);
      const [first, second] = await Promise.all(waiting);
      expect(ids(first)).to.deep.equal(published);
      expect(ids(second)[0]).to.equal(ahead + 1);
      forOne.go();
    } finally {
      reads.query = query;
    }
  });
});
