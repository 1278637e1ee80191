import type { BudgetCheck } from '../../../server/db/budgets.js';
import {
  type Attempt,
  grouped,
  groupedAttempts,
} from '../../../server/db/grouped.js';
import { LIMIT_DEFAULTS } from '../../../server/limits.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('A grouped statement', () => {
  it('is asked once for all of one turn of the event loop', async () => {
    const groups: number[][] = [];
    const ask = grouped(async (group: readonly number[]) => {
      groups.push([...group]);
      return group.map((item) => item * 10);
    });
    const first = [3, 1, 3].map(ask);
    await turn();
    const second = [4, 5].map(ask);
    expect(await Promise.all(first)).to.deep.equal([30, 10, 30]);
    expect(await Promise.all(second)).to.deep.equal([40, 50]);
    expect(groups).to.deep.equal([
      [3, 1, 3],
      [4, 5],
    ]);
  });

  it('has a limited size, and fails for its own group only', async () => {
    const ask = grouped(async (group: readonly number[]) => {
      if (group.includes(13)) throw new Error('thirteen');
      return group;
    });
    const items = [0, 13, ...Array.from({ length: 40 }, (_, n) => n + 20)];
    const states = (await Promise.allSettled(items.map(ask))).map(
      ({ status }) => status,
    );
    expect(states.slice(0, 32)).to.deep.equal(Array(32).fill('rejected'));
    expect(states.slice(32)).to.deep.equal(Array(10).fill('fulfilled'));
  });

  it('refuses an answer that is not whole', async () => {
    const ask = grouped(async (group: readonly number[]) => group.slice(1));
    const error = await ask(1).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(TypeError);
  });
});

describe('Attempts of one moment', () => {
  const NOW = Date.UTC(2026, 0, 2);

  function attempt(name: string): Attempt {
    const key = { today: Buffer.from(name), yesterday: Buffer.from('y') };
    const check: BudgetCheck = {
      limit: 'previews_per_network_hour',
      scope: 'preview',
      key,
      window: 3_600_000,
    };
    return { check, reported: [check], limits: LIMIT_DEFAULTS, now: NOW };
  }

  it('come in the order of what they lock, and count one after the other', async () => {
    const orders: string[] = [];
    const take = groupedAttempts(async (group: readonly Attempt[]) => {
      orders.push(group.map(({ check }) => String(check.key.today)).join());
      // Each as if it came alone: two were spent before the statement.
      return group.map(() => ({ blocked: [null], used: [2], oldest: [NOW] }));
    });
    const answers = await Promise.all(
      ['b', 'a', 'b', 'c', 'b'].map((name) => take(attempt(name))),
    );
    expect(orders).to.deep.equal(['a,b,b,b,c']);
    const used = answers.map(({ taken }) => taken.spent[0]?.used);
    expect(used).to.deep.equal([3, 3, 4, 3, 5]);
  });
});
