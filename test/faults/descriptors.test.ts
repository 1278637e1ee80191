import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { FULL, within } from '../support/full.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { until } from '../support/until.js';
import { atOnce } from '../support/wire.js';
import { NodeProcess } from './node-process.js';
import { recordFaults } from './report.js';
import { Writers } from './writers.js';

const ROUNDS = FULL ? 5 : 1;
/** Its own modules alone are opened by the hundred. */
const DESCRIPTORS = 512;
const SOCKETS = 1000;

describe('a node without file descriptors', () => {
  let node: NodeProcess;

  before(async () => {
    node = await NodeProcess.create({ shell: `ulimit -n ${DESCRIPTORS}` });
  });

  after(() => node.remove());

  /** A connection that asks for nothing; it may be refused or cut. */
  function idle(): Promise<Socket> {
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
    return new Promise((resolve) => {
      socket.on('error', () => resolve(socket));
      socket.on('connect', () => resolve(socket));
    });
  }

  async function answers(): Promise<boolean> {
    const answer = await fetch(`${node.url}/healthz`).catch(() => null);
    await answer?.text();
    return answer?.status === 200;
  }

  it(`takes connections again when there are some, ${ROUNDS} times`, async () => {
    const seed = chosenSeed();
    const writers = new Writers({
      url: () => node.url,
      query: (sql) => node.query(sql),
      count: 4,
      random: randomOf(seed),
      mayHangUp: true,
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      writers.start();
      await writers.progress(5);
      const sockets = await atOnce(SOCKETS, idle);
      for (const socket of sockets) socket.destroy();
      const freed = performance.now();
      await until('an answer', answers);
      expect(performance.now() - freed).to.be.below(within(2000));
      await writers.progress(5);
      await writers.stop();
      expect(node.alive).to.equal(true);
    }
    const { votes: _, ...outcome } = await writers.check();
    await recordFaults({ test: 'A9', seed, faults: ROUNDS, ...outcome });
  });
});
