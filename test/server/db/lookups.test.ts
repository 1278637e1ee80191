import { expect } from 'chai';
import pg from 'pg';
import { LANES, Lookups } from '../../../server/db/lookups.js';
import { isDatabaseUnavailable } from '../../../server/http/database-errors.js';
import { admin, createDatabase } from '../../support/cluster.js';
import { until } from '../../support/until.js';

const DOUBLED = 'SELECT $1::int * 2 AS n, pg_backend_pid() AS pid';
const KEPT = 'SELECT n FROM kept WHERE n = $1::int';
const LANE = 'lane';
type Row = { n: number; pid: number };

describe('lookups over few connections', () => {
  let url: string;
  let pool: pg.Pool;
  let lookups: Lookups;
  let drop: () => Promise<void>;
  let tries = 0;

  const open = (more: Record<string, unknown> = {}) => {
    // The option is newer than the published types.
    const options = {
      connectionString: url,
      application_name: LANE,
      max: LANES,
      pipeline: true,
    };
    pool = new pg.Pool({ ...options, ...more });
    pool.on('error', () => {});
    const connect = pool.connect.bind(pool) as (...args: unknown[]) => never;
    tries = 0;
    pool.connect = (...args: unknown[]) => {
      tries += 1;
      return connect(...args);
    };
    lookups = new Lookups(pool, 100);
  };

  /** What others do to the database meanwhile. */
  const outside = async <T>(work: (client: pg.Client) => Promise<T>) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  const ask = (many: number) =>
    Promise.all(
      Array.from({ length: many }, (_, n) => lookups.query<Row>(DOUBLED, [n])),
    );

  /** Who asks may be answered while some lanes are still being opened. */
  const allLanes = () =>
    until('every lane answers', async () => {
      const rows = (await ask(LANES * 2)).flat();
      return new Set(rows.map(({ pid }) => pid)).size === LANES;
    });

  const refused = async (asked: Promise<unknown>): Promise<unknown> => {
    try {
      await asked;
    } catch (error) {
      return error;
    }
    throw new Error('it was answered');
  };

  beforeEach(async () => {
    ({ url, drop } = await createDatabase());
    await outside((client) => client.query('CREATE TABLE kept (n int)'));
    open();
  });

  afterEach(async () => {
    await lookups.close();
    await drop();
  });

  it('answers each what it asked, however many ask at once', async () => {
    for (const many of [1, 2, LANES, 1000, 1]) {
      const rows = (await ask(many)).flat();
      expect(rows.map(({ n }) => n)).to.deep.equal(rows.map((_, at) => at * 2));
      expect(new Set(rows.map(({ pid }) => pid)).size).to.be.within(1, LANES);
    }
    expect(pool.totalCount).to.equal(LANES);
  });

  it('fails one statement and no other', async () => {
    await ask(LANES * 2);
    const wrong = refused(lookups.query('SELECT 1 / $1::int', [0]));
    const others = ask(LANES * 8);
    expect(await wrong).to.have.property('code', '22012');
    expect((await others).flat()).to.have.lengthOf(LANES * 8);
    expect((await ask(LANES * 2)).flat()).to.have.lengthOf(LANES * 2);
  });

  it('goes on after its connections were ended, at rest or under way', async () => {
    const endAll = () =>
      outside((client) =>
        client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        ),
      );
    await allLanes();
    await endAll();
    await until('the ends are seen', () => pool.totalCount === 0);
    expect((await ask(LANES * 2)).flat()).to.have.lengthOf(LANES * 2);
    const slow = Array.from({ length: LANES * 3 }, () =>
      refused(lookups.query('SELECT pg_sleep(3600)')),
    );
    await until('every lane is at work', async () => {
      const { rows } = await outside((client) =>
        client.query(
          `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'
           AND datname = current_database() AND state = 'active'`,
        ),
      );
      return rows.length === LANES;
    });
    await endAll();
    for (const error of await Promise.all(slow)) {
      expect(isDatabaseUnavailable(error)).to.equal(true);
    }
    expect((await ask(LANES * 2)).flat()).to.have.lengthOf(LANES * 2);
  });

  it('lets nobody wait for one lock after the other', async () => {
    await lookups.close();
    // Before the lock there is no telling whose turn it is; then one suffices.
    open({ lock_timeout: 200, max: LANES });
    await ask(LANES);
    await outside(async (client) => {
      await client.query('BEGIN; LOCK TABLE kept');
      const asked = Array.from({ length: LANES * 50 }, (_, n) =>
        refused(lookups.query(KEPT, [n])),
      );
      for (const error of await Promise.all(asked)) {
        expect(isDatabaseUnavailable(error), String(error)).to.equal(true);
      }
      const { rows } = await client.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      // Each lane has waited for its first; what came behind never began.
      expect(rows[0]?.waiting).to.be.at.most(LANES);
      await client.query('ROLLBACK');
    });
    expect(await lookups.query(KEPT, [1])).to.deep.equal([]);
  });

  it('ends while its connections are being made, or are not needed', async () => {
    for (const many of [1, LANES, LANES * 10]) {
      const asked = Promise.allSettled([ask(many)]);
      await until('a connection is being made', () => pool.totalCount > 0);
      await lookups.close();
      await asked;
      expect(pool.totalCount).to.equal(0);
      open();
    }
  });

  it('refuses at once who asks while it ends, and tries no more', async () => {
    await outside(async (client) => {
      await client.query('SELECT pg_advisory_lock(1)');
      const slow = lookups.query('SELECT pg_advisory_lock(1)');
      await lookups.query('SELECT 1'); // on a second lane, so the first is made
      const closed = lookups.close();
      const before = tries;
      const error = await refused(lookups.query('SELECT 1'));
      expect(isDatabaseUnavailable(error), String(error)).to.equal(true);
      expect(tries - before).to.be.at.most(LANES);
      await client.query('SELECT pg_advisory_unlock(1)');
      await Promise.all([slow, closed]);
    });
    open();
  });

  it('does with the connections it has while no other can be made', async () => {
    const name = new URL(url).pathname.slice(1);
    const lanes = `pg_stat_activity WHERE datname = '${name}'
      AND application_name = '${LANE}'`;
    await allLanes();
    await admin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await admin(
      `SELECT pg_terminate_backend(pid) FROM ${lanes} LIMIT ${LANES - 1}`,
    );
    await until('the ends are seen', () => pool.totalCount === 1);
    tries = 0;
    const began = performance.now();
    for (let round = 0; round < 20; round += 1) {
      const rows = (await ask(LANES * 50)).flat();
      expect(new Set(rows.map(({ pid }) => pid)).size).to.equal(1);
    }
    const halfSeconds = (performance.now() - began) / 500;
    expect(tries).to.be.within(1, LANES + halfSeconds);
    await admin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await until('all connections again', async () => {
      await ask(LANES * 2);
      return pool.totalCount === LANES;
    });
  });

  it('refuses all at once when there is no database', async () => {
    await lookups.close();
    open({ connectionString: 'postgresql://localhost:1/none' });
    const asked = Array.from({ length: 100 }, () => refused(ask(1)));
    for (const error of await Promise.all(asked)) {
      expect(isDatabaseUnavailable(error)).to.equal(true);
    }
  });
});
