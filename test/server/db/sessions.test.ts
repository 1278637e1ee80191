import type pg from 'pg';
import { WorkerLocks } from '../../../mesh/worker-locks.js';
import { withOwnDatabase } from '../../../server/cli/tool-database.js';
import { parseConfig } from '../../../server/config.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { admin, urlOf } from '../../support/cluster.js';
import { publish } from '../../support/post.js';
import { randomBytes } from '../../support/random.js';
import { sentDuring } from '../../support/sent.js';

/** What PostgreSQL does where nobody sets anything, and the tests' does not. */
const STOCK = ['jit = on', 'max_parallel_workers_per_gather = 2'];

describe('a node on a server with the settings of PostgreSQL itself', () => {
  const name = `stock_${randomBytes(6).toString('hex')}`;

  before(async () => {
    await admin(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
    for (const setting of STOCK) {
      await admin(`ALTER DATABASE ${name} SET ${setting}`);
    }
    // A role's limit is for others than those who migrate and make backups.
    await admin(`ALTER DATABASE ${name} SET statement_timeout = '90s'`);
  });

  after(() => admin(`DROP DATABASE ${name} WITH (FORCE)`));

  /** Of each connection that is open, by its name. */
  async function shown(clients: Iterable<pg.Client>, setting: string) {
    const found: Record<string, string[]> = {};
    for (const client of clients) {
      const rows = await ask(client, setting).catch(() => []);
      for (const { name, value } of rows) {
        found[name] = [...new Set([...(found[name] ?? []), value])].sort();
      }
    }
    return found;
  }

  async function ask(client: pg.Client, setting: string) {
    const { rows } = await client.query<{ name: string; value: string }>(
      `SELECT current_setting('application_name') AS name,
         current_setting($1) AS value`,
      [setting],
    );
    return rows;
  }

  it('has its own on every connection, before any other statement', async () => {
    const databaseUrl = urlOf(name);
    const config = parseConfig({ DATABASE_URL: databaseUrl });
    const locks = new WorkerLocks({ url: databaseUrl }, () => {});
    const env = { ROLES: 'api,mesh,jobs' };
    let test = {} as TestBoard;
    const sent = await sentDuring(async () => {
      test = await startBoard({ databaseUrl, env });
      await publish(test);
      await test.as().get('/all.txt').expect(200);
      await locks.take(1);
    });
    const own = sent.filter(
      ({ client }) => (client as { database?: string }).database === name,
    );
    const first = new Map(
      own.toReversed().map(({ client, text }) => [client, text]),
    );
    try {
      const tool = await withOwnDatabase(
        config,
        (db) => db.query<{ ms: number }>(PATIENT),
        { patient: true },
      );
      expect(await shown(first.keys(), 'jit')).to.eql({
        'reserve-board': ['off'],
        'reserve-board listener': ['off'],
        'reserve-board mesh': ['off'],
      });
      const workers = await shown(
        first.keys(),
        'max_parallel_workers_per_gather',
      );
      expect(new Set(Object.values(workers).flat())).to.eql(new Set(['0']));
      expect(tool, 'the limit of a backup').to.eql([{ ms: 0 }]);
      for (const text of first.values()) {
        expect(text).to.match(/^SET application_name = .*SET jit = 'off';/);
      }
    } finally {
      await locks.close();
      await test.stop();
    }
  });
});

const PATIENT = `SELECT setting::int AS ms FROM pg_settings
  WHERE name = 'statement_timeout'`;
