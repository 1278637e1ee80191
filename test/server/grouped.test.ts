import { expect } from 'chai';
import { Grouped } from '../../server/db/grouped.js';

/** What comes in one turn of the loop is asked for at its end. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Statements that end when the test says so. */
function held() {
  const groups: number[][] = [];
  const ends: (() => void)[] = [];
  const ask = async (group: readonly number[]) => {
    groups.push([...group]);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (group.includes(13)) throw new Error('thirteen');
    return group.map((item) => item * 10);
  };
  const end = async () => {
    await turn();
    ends.shift()?.();
    // The next group starts once the promises of this one have run.
    await turn();
    await turn();
  };
  return { groups, ask, end };
}

describe('a grouped statement', () => {
  it('asks for those of one turn together, and for those that come meanwhile', async () => {
    const { groups, ask, end } = held();
    const grouped = new Grouped(ask);
    const first = [0, 1].map((item) => grouped.add(item));
    await turn();
    const others = [2, 3, 4].map((item) => grouped.add(item));
    expect(groups).to.deep.equal([[0, 1]]);
    await end();
    expect(await Promise.all(first)).to.deep.equal([0, 10]);
    expect(groups).to.deep.equal([
      [0, 1],
      [2, 3, 4],
    ]);
    await end();
    expect(await Promise.all(others)).to.deep.equal([20, 30, 40]);
    const later = grouped.add(5);
    await turn();
    expect(groups.at(-1)).to.deep.equal([5]);
    await end();
    expect(await later).to.equal(50);
  });

  it('gives each its own answer in whatever order a group is asked', async () => {
    const { groups, ask, end } = held();
    const grouped = new Grouped(ask, (a, b) => a - b);
    const all = [9, 4, 7, 4, 1].map((item) => grouped.add(item));
    await end();
    expect(groups).to.deep.equal([[1, 4, 4, 7, 9]]);
    expect(await Promise.all(all)).to.deep.equal([90, 40, 70, 40, 10]);
  });

  it('is of a limited size, and fails for its own group only', async () => {
    const { groups, ask, end } = held();
    const grouped = new Grouped(ask);
    const items = [0, 13, ...Array.from({ length: 40 }, (_, n) => n + 20)];
    const all = Promise.allSettled(items.map((item) => grouped.add(item)));
    for (let n = 0; n < 2; n += 1) await end();
    expect(groups.map((group) => group.length)).to.deep.equal([32, 10]);
    const states = (await all).map(({ status }) => status);
    expect(states.slice(0, 32)).to.deep.equal(Array(32).fill('rejected'));
    expect(states.slice(32)).to.deep.equal(Array(10).fill('fulfilled'));
  });

  it('refuses an answer that is not whole', async () => {
    const grouped = new Grouped(async (group: readonly number[]) =>
      group.slice(1),
    );
    const error = await grouped.add(1).catch((reason: Error) => reason);
    expect(error).to.be.instanceOf(Error);
  });
});
