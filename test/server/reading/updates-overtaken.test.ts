import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Query } from '../../support/held-query.js';
import { until } from '../../support/until.js';
import { get, givenReadable, ids, replies, topic } from './fixture.js';

/** Its own look takes longer than those that messages cause meanwhile. */
describe('a reader whose first look is overtaken', () => {
  const test = givenReadable();

  it('misses nothing that came since', async () => {
    const reads = test.board.context.reads as { query: Query };
    const { query } = reads;
    const looked: unknown[] = [];
    const keep = new Set<unknown>();
    const kept = new Map<unknown, () => void>();
    reads.query = async (text, values = []) => {
      const rows = await query(text, values);
      const [since] = values;
      if (!text.includes('log_state head')) return rows;
      looked.push(since);
      if (keep.delete(since)) {
        await new Promise<void>((go) => kept.set(since, go));
      }
      return rows;
    };
    const wait = (since: number) =>
      get(test, `/api/updates?since=${since}&wait=25`).then((answer) => answer);
    try {
      const root = await topic(test);
      const first = wait(root);
      await until('the first has looked', () => looked.includes(root));
      keep.add(root);
      const overtaken = wait(root);
      await until('its look', () => kept.has(root));
      const [one = 0] = await replies(test, root, 1);
      expect(ids(await first)).to.deep.equal([one]);
      const third = wait(one);
      await until('the third has looked', () => looked.includes(one));
      await nextTurn();
      keep.add(one);
      const [two = 0] = await replies(test, root, 1);
      await until('a look for all', () => kept.has(one));
      kept.get(root)?.();
      await nextTurn();
      kept.get(one)?.();
      expect(ids(await third)).to.deep.equal([two]);
      expect(ids(await overtaken)).to.deep.equal([one, two]);
    } finally {
      reads.query = query;
    }
  });
});
