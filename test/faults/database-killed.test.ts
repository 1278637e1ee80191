import { FULL, within } from '../support/full.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { givenNode } from './given-node.js';
import { recordFaults } from './report.js';
import { Writers } from './writers.js';

const KILLS = FULL ? 50 : 5;
const TERMINATIONS = FULL ? 200 : 20;
const RESTARTS = FULL ? 20 : 2;

describe('a database that dies under a node', () => {
  const node = givenNode();
  const seed = chosenSeed();
  const random = randomOf(seed);
  const writers = new Writers({ on: node, count: 8, random, mayHangUp: false });

  const some = () => 5 + Math.floor(random() * 40);

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

  async function comesBack(signal: NodeJS.Signals): Promise<void> {
    await node.endDatabase(signal, readOn);
    await node.ready();
    expect(node.alive).to.equal(true);
  }

  it(`comes back by itself, ${KILLS} times, nothing lost`, async () => {
    writers.start();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await writers.progress(some());
      await comesBack('SIGKILL');
    }
    await writers.progress(10);
    await writers.stop();
    await uncorrupted();
    const { votes, ...outcome } = await writers.check();
    await recordFaults({ test: 'A2', seed, faults: KILLS, ...outcome });
    await recordFaults({ test: 'B8 postmaster killed', faults: votes });
  });

  async function uncorrupted(): Promise<void> {
    const admin = await node.admin();
    await admin.query('CREATE EXTENSION IF NOT EXISTS amcheck');
    const { rows } = await admin.query<{ on: boolean; bad: number }>(
      `SELECT current_setting('data_checksums') = 'on' AS on,
         (SELECT sum(checksum_failures)::int FROM pg_stat_database) AS bad,
         (SELECT count(bt_index_check(i.indexrelid, true)) FROM pg_index i
          JOIN pg_class c ON c.oid = i.indexrelid
          JOIN pg_am a ON a.oid = c.relam AND a.amname = 'btree'
          WHERE c.relkind = 'i' AND c.relpersistence = 'p'
            AND c.relnamespace = 'public'::regnamespace) AS indexes`,
    );
    expect(rows[0]).to.include({ on: true, bad: 0 });
    const { rows: broken } = await admin.query(
      `SELECT * FROM pg_class c, LATERAL verify_heapam(c.oid)
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
    );
    expect(broken).to.deep.equal([]);
    await admin.end();
  }

  it(`is stopped at once and started again, ${RESTARTS} times`, async () => {
    writers.start();
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      await writers.progress(some());
      await comesBack('SIGINT'); // what `pg_ctl restart -m fast` sends
    }
    await writers.progress(10);
    await writers.stop();
    const { votes: _, ...outcome } = await writers.check();
    const test = 'A5 restarts';
    await recordFaults({ test, seed, faults: RESTARTS, ...outcome });
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
    const { votes: _, ...outcome } = await writers.check();
    const test = 'A5 connections';
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
