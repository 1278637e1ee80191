import { expect } from 'chai';
import { FULL } from '../support/full.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { NodeProcess } from './node-process.js';
import { recordFaults } from './report.js';
import { Writers } from './writers.js';

const FAULTS = FULL ? 120 : 3;

/** B13: whatever can die dies by turns, while everybody writes on. */
describe('a board to which everything happens', () => {
  let node: NodeProcess;

  before(async () => {
    node = await NodeProcess.create();
  });

  after(() => node.remove());

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
    const seed = chosenSeed();
    const random = randomOf(seed);
    const writers = new Writers({
      url: () => node.url,
      query: (sql) => node.query(sql),
      count: 8,
      random,
      mayHangUp: true,
    });
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
