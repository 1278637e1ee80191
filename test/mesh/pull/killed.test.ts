import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { keepNewSeed } from '../../../server/ledger/board-seed.js';
import { createDatabase } from '../../support/cluster.js';
import { compiledMain } from '../../support/compiled.js';
import { connected } from '../../support/database.js';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';
import { HostilePeer } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { insertPeer, seedOf } from '../support/two-boards.js';

const POSTS = 900;

describe('a mirror that is killed during its backfill', () => {
  it('goes on at its cursor and stores every entry once', async () => {
    const own = await createDatabase();
    const dataDir = await mkdtemp(path.join(tmpdir(), 'reserve-killed-'));
    await keepNewSeed(dataDir, seedOf('board-b.example'));
    const port = await freePort();
    const start = async (): Promise<ChildProcess> => {
      const { PATH = '', HOME = '' } = process.env;
      const child = spawn(process.execPath, [await compiledMain(), 'start'], {
        cwd: tmpdir(),
        stdio: 'ignore',
        env: {
          PATH,
          HOME,
          PORT: String(port),
          BASE_URL: `http://127.0.0.1:${port}`,
          DATA_DIR: dataDir,
          DATABASE_URL: own.url,
          BOARD_NAME: 'board-b.example',
          ROLES: 'mesh',
          MESH_ALLOW_HTTP: 'on',
          MESH_ALLOW_PRIVATE: 'on',
          LOG_LEVEL: 'silent',
        },
      });
      return child;
    };
    const kill = async (child: ChildProcess): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const over = once(child, 'exit');
      child.kill('SIGKILL');
      await over;
    };
    let child = await start();
    const { db, end } = await connected(own.url);
    const log = new ScriptedLog('board-a.example', Date.now() - 1000);
    const peer = await HostilePeer.start(log);
    try {
      for (let n = 0; n < POSTS; n += 1) log.post();
      // Small pages: more places to be killed at.
      peer.mode = ({ path: asked, query }) => {
        if (asked === '/log/feed') query.set('limit', '16');
        return false;
      };
      const { board: name, origin, keys } = log;
      const { url } = peer;
      const facts = { name, origin, url, identity: log.identity(url), keys };
      await until('the board', async () => {
        const rows = await db.query('SELECT FROM log_state').catch(() => []);
        return rows.length > 0;
      });
      const originId = await db.transaction((tx) =>
        insertPeer(tx, facts, 'mirror', { content: 'all' }, Date.now()),
      );
      const size = async () => {
        const [row] = await db.query<{ size: number }>(
          'SELECT size FROM log_state WHERE origin_id = $1',
          [originId],
        );
        return Number(row?.size);
      };
      for (const least of [1, 400]) {
        await until(`${least} entries`, async () => (await size()) >= least);
        await kill(child);
        // What it had sent is done, or given up, before it is counted.
        await until('the end of its connections', async () => {
          const rows = await db.query(
            `SELECT 1 FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()
               AND backend_type = 'client backend'`,
          );
          return rows.length === 0;
        });
        const held = await size();
        const [stored] = await db.query<{ entries: number; posts: number }>(
          `SELECT (SELECT count(*) FROM log_entry WHERE origin_id = $1)
             AS entries,
             (SELECT count(*) FROM mirror_message WHERE origin_id = $1)
             AS posts`,
          [originId],
        );
        expect(stored).to.eql({ entries: held, posts: held });
        const before = peer.asked.length;
        child = await start();
        await until('the next page', () =>
          peer.asked.slice(before).some((one) => one.startsWith('/log/feed')),
        );
        const [first = ''] = peer.asked
          .slice(before)
          .filter((one) => one.startsWith('/log/feed'));
        expect(first).to.contain(`from=${held}&`);
      }
      await until('the whole log', async () => (await size()) === POSTS);
      const [head] = await db.query<{ root: Buffer }>(
        `SELECT root FROM log_checkpoint WHERE origin_id = $1
         ORDER BY size DESC LIMIT 1`,
        [originId],
      );
      expect(head?.root).to.eql(Buffer.from(log.root()));
      const [updates] = await db.query<{ n: number }>(
        'SELECT count(DISTINCT seq) AS n FROM mirror_update',
      );
      expect(updates?.n).to.equal(POSTS);
    } finally {
      await kill(child);
      await peer.stop();
      await end();
      await own.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
