import { EXACT, FULL, within } from '../support/full.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { givenNode } from './given-node.js';
import { recordFaults, recordMissed } from './report.js';
import { Writers } from './writers.js';

const KILLS = FULL ? 200 : 10;
/** The mark is that of most starts: a checkpoint may come in between. */
const UP_MS = 3000;

function eightWriters(on: ReturnType<typeof givenNode>) {
  const seed = chosenSeed();
  const random = randomOf(seed);
  const writers = new Writers({ on, count: 8, random, mayHangUp: true });
  return { seed, random, writers };
}

describe('a node killed while it publishes', () => {
  const node = givenNode();

  it(`loses nothing it acknowledged, ${KILLS} times`, async () => {
    const { seed, random, writers } = eightWriters(node);
    const up: number[] = [];
    writers.start();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await writers.progress(5 + Math.floor(random() * 40));
      expect(await node.end('SIGKILL')).to.equal(null);
      const started = performance.now();
      await node.start();
      await node.ready();
      up.push(performance.now() - started);
      expect(up.at(-1)).to.be.below(within(15_000));
    }
    await writers.progress(10);
    await writers.stop();
    up.sort((a, b) => a - b);
    const p95 = up[Math.floor(up.length * 0.95)] ?? 0;
    console.log(`      up again within p95 ${p95.toFixed(0)} ms`);
    if (EXACT && p95 > UP_MS) {
      await recordMissed('A1', `up within ${p95.toFixed(0)} ms, 3 s wanted`);
    }
    const { votes, ...outcome } = await writers.check();
    await recordFaults({ test: 'A1', seed, faults: KILLS, ...outcome });
    await recordFaults({ test: 'B8 node killed', faults: votes });
  });
});

const FAULTS = FULL ? 120 : 3;

/** B13: each process is killed in turn while all clients write. */
describe('a board to which everything happens', () => {
  const node = givenNode();

  const DEEDS = {
    node: () => node.restart(),
    database: () => node.endDatabase('SIGKILL'),
    connections: () =>
      node.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      ),
    stop: async () => {
      expect(await node.end('SIGTERM')).to.equal(0);
      await node.start();
    },
  };

  it(`keeps what it acknowledged, after ${FAULTS} faults`, async () => {
    const { seed, random, writers } = eightWriters(node);
    const deeds = Object.values(DEEDS);
    writers.start();
    for (let fault = 0; fault < FAULTS; fault += 1) {
      await writers.progress(3 + Math.floor(random() * 20));
      await deeds[Math.floor(random() * deeds.length)]?.();
    }
    await writers.progress(10);
    await writers.stop();
    const { votes: _, ...outcome } = await writers.check();
    await recordFaults({ test: 'B13', seed, faults: FAULTS, ...outcome });
  });
});
