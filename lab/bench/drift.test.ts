import { readFile } from 'node:fs/promises';
import {
  type Baseline,
  bestOf,
  compare,
  driftTable,
  type Found,
  limitOf,
} from './drift/compare.js';
import { ROWS } from './rows/rows.js';

const FILE = new URL('./drift.json', import.meta.url);
const { figures } = JSON.parse(await readFile(FILE, 'utf8')) as Baseline;

const measured = (other: Record<string, number> = {}): Found =>
  new Map(figures.map(({ name, value }) => [name, other[name] ?? value]));

const missed = (found: Found) =>
  compare(figures, found)
    .filter(({ ok }) => !ok)
    .map(({ figure }) => figure.name);

describe('the kept figures of the bench', () => {
  it('are of rows that there are, each with its tolerance and the reason', () => {
    const rows = new Set(figures.map(({ name }) => name.split(' ')[0] ?? ''));
    expect([...rows]).to.eql(['R1', 'W1', 'M1', 'C1']);
    expect(ROWS.map(({ id }) => id)).to.include.members([...rows]);
    for (const { name, value, tolerance, why } of figures) {
      expect(value, name).to.be.above(0);
      expect(tolerance, name).to.be.within(0.01, 0.5);
      expect(why, name).to.have.length.above(20);
    }
  });

  it('are met by themselves, and by what is better', () => {
    expect(missed(measured())).to.eql([]);
    const better = figures.map(({ name, value, better }) => [
      name,
      better === 'more' ? value * 2 : value / 2,
    ]);
    expect(missed(measured(Object.fromEntries(better)))).to.eql([]);
  });

  it('are missed by each figure that is worse than its tolerance, alone', () => {
    for (const figure of figures) {
      const { name, better } = figure;
      const limit = limitOf(figure);
      const step = better === 'more' ? -0.001 : 0.001;
      const planted = measured({ [name]: limit * (1 + step) });
      expect(missed(planted), name).to.eql([name]);
      expect(missed(measured({ [name]: limit * (1 - step) })), name).to.eql([]);
      const table = driftTable(compare(figures, planted)).split('\n');
      expect(table[0]).to.match(/^figure +now +baseline +tolerance +ok$/);
      expect(table.filter((line) => / {2}NO$/.test(line))).to.have.length(1);
      expect(table.find((line) => / {2}NO$/.test(line))).to.include(name);
    }
  });

  it('are missed by what was not measured', () => {
    const [first] = figures;
    const all = new Map(measured());
    all.delete(first?.name ?? '');
    expect(missed(all)).to.eql([first?.name]);
    expect(driftTable(compare(figures, all))).to.include('not measured');
  });

  it('count by the best of several measurements', () => {
    const worse = figures.map(({ name, value, better }) => [
      name,
      better === 'more' ? value / 10 : value * 10,
    ]);
    const once = measured(Object.fromEntries(worse));
    expect(missed(once)).to.eql(figures.map(({ name }) => name));
    for (const both of [
      bestOf(figures, once, measured()),
      bestOf(figures, measured(), once),
    ]) {
      expect(missed(both)).to.eql([]);
    }
    expect(missed(bestOf(figures, new Map(), once))).to.have.length(
      figures.length,
    );
  });
});
