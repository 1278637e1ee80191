import { expect } from 'chai';
import { FULL, within } from '../support/full.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { until } from '../support/until.js';
import { NodeProcess } from './node-process.js';
import { recordFaults } from './report.js';
import { Writers } from './writers.js';

const KILLS = FULL ? 50 : 5;
const TERMINATIONS = FULL ? 200 : 20;

describe('a database that dies under a node', function () {
  this.timeout((KILLS + TERMINATIONS) * 10_000);
  let node: NodeProcess;
  let writers: Writers;
  let seed: number;
  let random: () => number;

  before(async () => {
    node = await NodeProcess.create();
    seed = chosenSeed();
    random = randomOf(seed);
    writers = new Writers({
      url: () => node.url,
      count: 8,
      random,
      mayHangUp: false,
    });
  });

  after(() => node.remove());

  const some = () => 5 + Math.floor(random() * 40);

  /** Reads go on being answered in JSON, well or with a 503. */
  async function readOn(): Promise<void> {
    const answer = await fetch(`${node.url}/api/threads`, {
      headers: { 'X-Forwarded-For': `10.9.9.${Math.floor(random() * 255)}` },
    });
    expect(answer.status).to.be.oneOf([200, 503]);
    const body = (await answer.json()) as { error?: string };
    if (answer.status === 200) return;
    expect(body.error).to.equal('unavailable');
    expect(answer.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
  }

  it(`comes back by itself, ${KILLS} times, nothing lost`, async () => {
    writers.start();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await writers.progress(some());
      const pid = await node.postmaster();
      process.kill(pid, 'SIGKILL');
      await until(
        'another postmaster',
        async () => {
          await readOn();
          return (await node.postmaster().catch(() => pid)) !== pid;
        },
        60_000,
      );
      await node.ready();
      expect(node.alive).to.equal(true);
    }
    await writers.progress(10);
    await writers.stop();
    const outcome = await writers.check();
    const test = 'postmaster killed';
    await recordFaults({ test, seed, faults: KILLS, ...outcome });
  });

  it(`loses ${TERMINATIONS} connections and nothing else`, async () => {
    writers.start();
    const admin = await node.admin();
    const pid = await node.postmaster();
    for (let cut = 0; cut < TERMINATIONS; cut += 1) {
      await writers.progress(3);
      const { rows } = await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
         ORDER BY pid`,
      );
      const victim = rows[Math.floor(random() * rows.length)];
      await admin.query('SELECT pg_terminate_backend($1)', [victim?.pid]);
      await readOn();
    }
    await admin.end();
    await writers.progress(10);
    await writers.stop();
    expect(node.alive).to.equal(true);
    expect(await node.postmaster(), 'a server that lives').to.equal(pid);
    const outcome = await writers.check();
    const test = 'backends terminated';
    await recordFaults({ test, seed, faults: TERMINATIONS, ...outcome });
  });

  it('does not keep a node from stopping', async () => {
    process.kill(await node.postmaster(), 'SIGKILL');
    const asked = performance.now();
    expect(await node.end('SIGTERM')).to.equal(0);
    expect(performance.now() - asked).to.be.below(within(10_000));
    await node.start();
    await writers.check();
  });
});
