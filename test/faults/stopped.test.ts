import { expect } from 'chai';
import { FULL } from '../support/full.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { until } from '../support/until.js';
import { NodeProcess } from './node-process.js';
import { recordFaults } from './report.js';
import { Writers } from './writers.js';

const STOPS = FULL ? 20 : 2;
const POLLS = FULL ? 2000 : 300;

describe('a node asked to stop while polls wait and writers write', function () {
  this.timeout(STOPS * 60_000);
  let node: NodeProcess;

  before(async () => {
    node = await NodeProcess.create();
  });

  after(() => node.remove());

  it(`answers them, and ends well within 10 s, ${STOPS} times`, async () => {
    const seed = chosenSeed();
    const writers = new Writers({
      url: () => node.url,
      count: 8,
      random: randomOf(seed),
      mayHangUp: true,
    });
    writers.start();
    for (let stop = 0; stop < STOPS; stop += 1) {
      await writers.progress(20);
      let held = 0;
      const polls = Array.from({ length: POLLS }, async (_, n) => {
        // A room nobody writes to: nothing but the stop can end the wait.
        const path = '/api/updates?room=workshop&since=7&wait=25';
        const headers = { 'X-Forwarded-For': `10.1.${n >> 6}.${n & 63}` };
        held += 1;
        const answer = await fetch(`${node.url}${path}`, { headers });
        return { status: answer.status, body: await answer.json() };
      });
      await until('polls', () => held === POLLS);
      await writers.progress(5);
      const asked = performance.now();
      expect(await node.end('SIGTERM')).to.equal(0);
      expect(performance.now() - asked).to.be.below(10_000);
      for (const { status, body } of await Promise.all(polls)) {
        expect(status).to.equal(200);
        expect(body).to.include({ count: 0, cursor: 7 });
      }
      await node.start();
    }
    await writers.progress(10);
    await writers.stop();
    const outcome = await writers.check();
    await recordFaults({ test: 'node stopped', seed, faults: STOPS, ...outcome });
  });
});
