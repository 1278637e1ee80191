import { expect } from 'chai';
import pg from 'pg';
import { type Database, database, together } from '../../../server/db/sql.js';
import { isDatabaseUnavailable } from '../../../server/http/database-errors.js';
import { createDatabase } from '../../support/cluster.js';

const INSERT = 'INSERT INTO kept (n) VALUES ($1::int)';

describe('statements of a transaction sent together', () => {
  let pool: pg.Pool;
  let db: Database;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    // The option is newer than the published types.
    const made = await createDatabase();
    drop = made.drop;
    const options = { connectionString: made.url, max: 1, pipeline: true };
    pool = new pg.Pool(options);
    db = database(pool);
    await db.query('CREATE TABLE kept (n int PRIMARY KEY)');
  });

  afterEach(async () => {
    await pool.end();
    await drop();
  });

  const kept = async () =>
    (await db.query<{ n: number }>('SELECT n FROM kept ORDER BY n')).map(
      ({ n }) => n,
    );

  it('are all done, in their order', async () => {
    const answers = await db.transaction((tx) =>
      together([
        tx.query(INSERT, [1]),
        tx.query('SELECT n FROM kept'),
        tx.query(INSERT, [2]),
      ]),
    );
    expect(answers).to.deep.equal([[], [{ n: 1 }], []]);
    expect(await kept()).to.deep.equal([1, 2]);
  });

  it('leave nothing when one fails, and its error is the one told', async () => {
    const follow = async (first: Promise<unknown>, next: () => unknown) => {
      await first;
      await next();
    };
    for (let turn = 0; turn < 20; turn += 1) {
      let error: unknown;
      try {
        await db.transaction((tx) =>
          together([
            follow(tx.query(INSERT, [1]), () => tx.query(INSERT, [4])),
            tx.query(INSERT, [1]),
            tx.query('INSERT INTO kept (n) VALUES ($1::int + 1)', [1]),
          ]),
        );
      } catch (caught) {
        error = caught;
      }
      expect(error).to.be.instanceOf(pg.DatabaseError);
      expect((error as pg.DatabaseError).code).to.equal('23505');
      expect(await kept()).to.deep.equal([]);
    }
  });

  it('tell why to whoever waits for a later one, as deep as it is', async () => {
    const deep = async (statement: Promise<unknown>) => {
      await together([together([statement]), Promise.resolve()]);
    };
    const errors: unknown[] = [];
    await db
      .transaction(async (tx) => {
        await tx.query(INSERT, [1]);
        const first = deep(tx.query(INSERT, [1]));
        const last = tx.query(INSERT, [2]);
        for (const { reason } of (await Promise.allSettled([
          last,
          first,
        ])) as PromiseRejectedResult[]) {
          errors.push(reason.code);
        }
        await together([first, last]);
      })
      .catch((error) => errors.push(error.code));
    expect(errors).to.eql(['23505', '23505', '23505']);
  });

  it('fail for the moment where this process stood still for too long', async () => {
    const told = await db
      .transaction(async (tx) => {
        const [{ pid } = { pid: 0 }] = await tx.query<{ pid: number }>(
          'SELECT pg_backend_pid() AS pid',
        );
        await tx.query('SET LOCAL idle_in_transaction_session_timeout = 10');
        // Nothing is heard meanwhile, as on a machine without a moment to give.
        while (isAlive(pid));
        await together([tx.query(INSERT, [1]), tx.query(INSERT, [2])]);
      })
      .catch((error: unknown) => error);
    expect(told).to.be.instanceOf(Error);
    expect(isDatabaseUnavailable(told), String(told)).to.equal(true);
    expect(await kept()).to.deep.equal([]);
  });

  it('fail one by one where the connection is lost', async () => {
    const [{ pid } = { pid: 0 }] = await db.query<{ pid: number }>(
      'SELECT pg_backend_pid() AS pid',
    );
    let error: unknown;
    try {
      await db.transaction((tx) =>
        together([
          tx.query(INSERT, [1]),
          tx.query('SELECT pg_terminate_backend($1)', [pid]),
          tx.query(INSERT, [2]),
        ]),
      );
    } catch (caught) {
      error = caught;
    }
    expect(error).to.be.instanceOf(Error);
    expect(await kept()).to.deep.equal([]);
  });
});

/** Whether a backend is still there; the server runs on this machine. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
