import { expect } from 'chai';
import { FULL, within } from '../support/full.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { NodeProcess } from './node-process.js';
import { recordFaults } from './report.js';
import { Writers } from './writers.js';

const KILLS = FULL ? 200 : 10;

describe('a node killed while it publishes', function () {
  this.timeout(KILLS * 20_000);
  let node: NodeProcess;

  before(async () => {
    node = await NodeProcess.create();
  });

  after(() => node.remove());

  it(`loses nothing it acknowledged, ${KILLS} times`, async () => {
    const seed = chosenSeed();
    const random = randomOf(seed);
    const writers = new Writers({
      url: () => node.url,
      query: (sql) => node.query(sql),
      count: 8,
      random,
      mayHangUp: true,
    });
    writers.start();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await writers.progress(5 + Math.floor(random() * 40));
      expect(await node.end('SIGKILL')).to.equal(null);
      const started = performance.now();
      await node.start();
      await node.ready();
      expect(performance.now() - started).to.be.below(within(15_000));
    }
    await writers.progress(10);
    await writers.stop();
    const { votes, ...outcome } = await writers.check();
    await recordFaults({ test: 'A1', seed, faults: KILLS, ...outcome });
    await recordFaults({ test: 'B8 node killed', faults: votes });
  });
});
