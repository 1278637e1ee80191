import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { SteadyClock } from '../../server/clock.js';
import { logVkeyOf, nodeOnPort } from '../mesh/peers/node-on-port.js';
import type { TestBoard } from '../support/board.js';
import { createDatabase } from '../support/cluster.js';
import { connected } from '../support/database.js';
import { FULL, within } from '../support/full.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import { NodeProcess } from './node-process.js';
import { recordFaults } from './report.js';

const KILLS = 20;
const READS = 300;
/** What another process shows of a write at the latest (spec/board.md §14.7). */
const SHOWN_MS = 250;
const MOVED_MS = 15_000;
/** First half of the lock of a mirror's worker (mesh/pull/store/peer.sql.ts). */
const WORKER = 730_521_815;

/** docs/operate.md, "Growing": roles over processes with folders of their own. */
if (FULL) {
  describe('a board of several processes', () => {
    let database: Awaited<ReturnType<typeof createDatabase>>;
    let held: Awaited<ReturnType<typeof connected>>;
    let peer: TestBoard;
    let front: NodeProcess;
    let back: NodeProcess;
    let workers: [NodeProcess, NodeProcess];

    before(async () => {
      database = await createDatabase();
      held = await connected(database.url);
      peer = await nodeOnPort({ steady: new SteadyClock() });
      const env = { DATABASE_URL: database.url };
      front = await NodeProcess.create({
        linked: true,
        env: { ...env, ROLES: 'api' },
      });
      const seed = path.join(front.dataDir, 'board.seed');
      const same = {
        ...env,
        BOARD_SEED: (await readFile(seed, 'utf8')).trim(),
        BASE_URL: front.url,
      };
      const start = (roles: string) =>
        NodeProcess.create({ linked: true, env: { ...same, ROLES: roles } });
      back = await start('api');
      const vkey = logVkeyOf(peer);
      const content = ['--content', 'all', '--trust', 'mirror'];
      await front.command(
        'peer',
        'add',
        peer.url,
        '--confirm',
        vkey,
        ...content,
      );
      const first = await start('mesh,jobs');
      await until('a leader', async () => (await leaders()) === 1);
      workers = [first, await start('mesh,jobs')];
    });

    after(async () => {
      for (const node of [...workers, back, front]) await node.remove();
      await peer.stop();
      await held.end();
      await database.drop();
    });

    async function leaders(): Promise<number> {
      const rows = await held.db.query(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted
         AND classid::bigint = ${WORKER}
         AND database = (SELECT oid FROM pg_database
           WHERE datname = current_database())`,
      );
      return rows.length;
    }

    async function mirrored(): Promise<number> {
      const [row] = await held.db.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM mirror_message WHERE status = 'ok'",
      );
      return row?.n ?? 0;
    }

    it(`shows a write at another process within ${SHOWN_MS} ms, from its cache and to those who wait`, async () => {
      const { message: topic } = await publish(front, { title: 'A topic' });
      const thread = `/api/thread/${topic.id}?last=1`;
      const last = async () => {
        const { body } = await back.as().get(thread).expect(200);
        return body.data.at(-1).id as number;
      };
      let worst = 0;
      for (let n = 0; n < READS; n += 1) {
        await last(); // its cache has it now
        const waits = back
          .as()
          .get(`/api/updates?since=${topic.id + n}&wait=25`);
        const waiting = waits.then(({ body }) => body.data.at(-1).id as number);
        const reply_to = topic.id;
        const { message } = await publish(front, {
          reply_to,
          body: `Reply ${n}`,
        });
        const since = performance.now();
        await until('the reply', async () => (await last()) === message.id);
        expect(await waiting).to.equal(message.id);
        worst = Math.max(worst, performance.now() - since);
      }
      console.log(
        `      the last of ${READS} was shown after ${worst.toFixed(0)} ms`,
      );
      expect(worst).to.be.below(within(SHOWN_MS));
    });

    it(`moves mirrors and jobs to another one after kill −9, ${KILLS} times`, async () => {
      let worst = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        // It leads: the other one was started, or started again, beside it.
        const leader = workers[kill % 2] as NodeProcess;
        expect(await leaders()).to.equal(1);
        await leader.end('SIGKILL');
        const since = performance.now();
        const killedAt = Date.now();
        await publish(peer, { title: `After kill ${kill}` });
        await until('its mirror', async () => (await mirrored()) === kill + 1);
        await until('a job', () => hasRun(killedAt));
        worst = Math.max(worst, performance.now() - since);
        expect(await leaders()).to.equal(1);
        await leader.start();
      }
      console.log(`      all had moved after ${(worst / 1000).toFixed(1)} s`);
      expect(worst).to.be.below(within(MOVED_MS));
      const [row] = await held.db.query<{ n: number }>(
        'SELECT size::int AS n FROM log_state WHERE origin_id > 0',
      );
      expect(row?.n).to.be.at.least(KILLS);
      await recordFaults({ test: 'A14 kills of a process', faults: KILLS });
    });

    async function hasRun(after: number): Promise<boolean> {
      const [row] = await held.db.query<{ at: number }>(
        'SELECT coalesce(max(started_at), 0) AS at FROM job_run',
      );
      return (row?.at ?? 0) > after;
    }
  });
}
