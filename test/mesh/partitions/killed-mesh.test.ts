import { recordFaults } from '../../faults/report.js';
import { type Outcome, Writers } from '../../faults/writers.js';
import { FULL } from '../../support/full.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { until } from '../../support/until.js';
import { type Link, linkTo } from './link.js';
import { follow, type MeshNode, nodeHere, nodeProcess } from './mesh-node.js';
import {
  converged,
  type Following,
  sameTiles,
  streamOf,
} from './same-everywhere.js';

type Shape = {
  title: string;
  nodes: number;
  follows(at: number, of: number): boolean;
};

const RING: Shape = {
  title: 'a ring of three, each following the next',
  nodes: 3,
  follows: (at, of) => of === (at + 1) % 3,
};
const FULL_MESH: Shape = {
  title: 'five that follow each other',
  nodes: 5,
  follows: (at, of) => at !== of,
};
const ENTRIES = FULL ? 1000 : 30;
const FAULTS = FULL ? 20 : 2;
/** Receipts to wait for at a time: the wait for them has its own end. */
const STEP = 3;

/** §R5 F12: each entry is everywhere once, also when processes die. */
for (const { title, nodes: count, follows } of FULL
  ? [RING, FULL_MESH]
  : [RING]) {
  describe(`a mesh whose nodes are killed and parted: ${title}`, () => {
    const nodes: MeshNode[] = [];
    const ways: (Following & { link: Link })[] = [];

    before(async () => {
      // Five processes and their starts are more than two cores can carry.
      const start = FULL && count === 3 ? nodeProcess : nodeHere;
      for (let n = 0; n < count; n += 1) nodes.push(await start(`n${n}.test`));
      for (const [nth, at] of nodes.entries()) {
        for (const [other, of] of nodes.entries()) {
          if (!follows(nth, other)) continue;
          const link = await linkTo(of.url);
          ways.push({ at, of, link });
          await follow(at, of, link.url);
        }
      }
    });

    after(async () => {
      await Promise.all(nodes.map((node) => node.stop()));
      await Promise.all(ways.map(({ link }) => link.stop()));
    });

    it('loses, doubles and reorders nothing', async () => {
      const seed = chosenSeed();
      const random = randomOf(seed);
      const writers = nodes.map(
        ({ url, db }) =>
          new Writers({
            on: { url, query: (text) => db.query(text) },
            ...{ count: 1, random, mayHangUp: true },
          }),
      );
      for (const one of writers) one.start();
      const acked = () => writers.reduce((sum, one) => sum + one.acked, 0);
      const share = Math.ceil(ENTRIES / count / FAULTS);
      for (let fault = 0; fault < FAULTS; fault += 1) {
        const cut = ways.filter(() => random() < 0.4);
        for (const { link } of cut) {
          link.partition(random() < 0.5 ? 'drop' : 'cut');
        }
        for (let left = share; left > 0; left -= STEP) {
          const more = Math.min(left, STEP);
          await Promise.all(writers.map((one) => one.progress(more)));
        }
        await nodes[Math.floor(random() * count)]?.kill();
        for (const { link } of cut) link.heal();
      }
      await Promise.all(writers.map((one) => one.stop()));
      expect(acked()).to.be.at.least(ENTRIES);

      const healed = performance.now();
      await converged(ways);
      const seconds = (performance.now() - healed) / 1000;
      console.log(`      level ${seconds.toFixed(1)} s after the last fault`);
      const outcomes: Outcome[] = [];
      for (const one of writers) {
        await roomAt(nodes);
        outcomes.push(await one.check());
      }
      for (const way of ways) await sameTiles(way);
      for (const [nth, at] of nodes.entries()) {
        const given = await streamOf(at.url);
        const expected = nodes.flatMap(({ name }, other) =>
          follows(nth, other)
            ? Array.from(
                { length: writers[other]?.written ?? 0 },
                (_, id) => `${name} ${id + 1}`,
              )
            : [],
        );
        expect([...given].sort()).to.eql(expected.sort());
        for (const { name } of nodes) {
          const ids = given
            .filter((one) => one.startsWith(`${name} `))
            .map((one) => Number(one.split(' ')[1]));
          expect(ids).to.eql([...ids].sort((a, b) => a - b));
        }
        const mesh = await (await fetch(`${at.url}/api/mesh`)).json();
        expect(mesh).to.include({ evidence_count: 0 });
      }
      await recordFaults({
        test: `F12 ${count} nodes`,
        seed,
        faults: FAULTS,
        acked: acked(),
        unknown: outcomes.reduce((sum, one) => sum + one.unknown, 0),
        violations: outcomes.flatMap((one) => one.violations),
      });
    });
  });
}

/** One server has all databases: idle connections of others make room. */
async function roomAt([node]: MeshNode[]): Promise<void> {
  await until('room for another reader', async () => {
    const rows = (await node?.db.query('SELECT FROM pg_stat_activity')) ?? [];
    return rows.length < 200;
  });
}
