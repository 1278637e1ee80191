import { once } from 'node:events';
import { Client } from 'pg';
import { until } from '../../../support/until.js';
import { finish, givenFolder, query, type Told } from './data-folder.js';

/** Held by whoever makes the board's database. */
const CREATION = 7_305_218_115;

describe('one embedded database for several', () => {
  const on = givenFolder();

  it('survives the crash of its process and group, and is adopted', async () => {
    const { child, connection } = await on.startInChild();
    await query(connection, 'create table t as select 7 as n');
    const pid = await on.serverPid();
    process.kill(-(child.pid as number), 'SIGKILL');
    await once(child, 'exit');
    const database = await on.start();
    expect(database.adopted).to.equal(true);
    expect(await on.serverPid()).to.equal(pid);
    const rows = await query(database.connection, 'select n from t');
    expect(rows).to.deep.equal([{ n: 7 }]);
    await database.stop();
    expect(await on.serverPid()).to.equal(null);
  });

  it('makes one cluster when two processes start from nothing', async () => {
    const both = await Promise.all([on.startInChild(), on.startInChild()]);
    await expectShared(both);
    const names = Object.keys(await on.modes());
    expect(names).to.have.members([
      ...['pg18', 'pg_hba.conf', 'pg_ident.conf', 'postgres.log', 'socket'],
    ]);
  });

  it('runs one server when two processes start again', async () => {
    await (await on.start()).stop();
    await expectShared(
      await Promise.all([on.startInChild(), on.startInChild()]),
    );
  });

  it('is stopped by the last process that uses it', async () => {
    const other = await on.startInChild();
    const mine = await on.start();
    expect([other.adopted, mine.adopted]).to.deep.equal([false, true]);
    await finish(other.child);
    expect(await query(mine.connection, 'select 1 as n')).to.have.length(1);
    await mine.stop();
    expect(await on.serverPid()).to.equal(null);
  });

  it('goes on when who adopts it is cut off in the middle of that', async () => {
    const mine = await on.start();
    const admin = new Client({
      ...{ ...mine.connection, user: 'postgres', database: 'postgres' },
    });
    admin.on('error', () => {}); // the query that follows tells
    await admin.connect();
    try {
      // Whoever joins now has the database to make, and waits to do so.
      await admin.query('DROP DATABASE board');
      await admin.query('SELECT pg_advisory_lock($1)', [CREATION]);
      const cut = async (where: string) => {
        const { rowCount } = await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name = 'board supervisor' AND ${where}`,
        );
        return rowCount === 1;
      };
      expect(await cut('true')).to.equal(true); // nobody else is left
      await mine.gone;
      const pid = await on.serverPid();
      const joining = on.start().catch((error: Error) => error.message);
      const waits = () => cut("wait_event_type = 'Lock'");
      await until('it waits and is cut off', waits);
      expect(await joining).to.be.a('string');
      await admin.query('SELECT 1'); // the same connection as before
      expect(await on.serverPid()).to.equal(pid);
    } finally {
      await admin.end();
    }
    expect((await on.start()).adopted).to.equal(true);
  });

  it('stops once when several leave together, and can be stopped twice', async () => {
    const all = [await on.start(), await on.start(), await on.start()];
    await Promise.all(all.map((database) => database.stop()));
    expect(await on.serverPid()).to.equal(null);
    await all[0]?.stop();
  });

  it('starts while another one is stopping', async () => {
    for (let round = 0; round < 3; round += 1) {
      const first = await on.start();
      const [, second] = await Promise.all([first.stop(), on.start()]);
      const rows = await query(second.connection, 'select 1 as n');
      expect(rows).to.have.length(1);
      await second.stop();
    }
  });
});

async function expectShared(both: Told[]) {
  const told = both.map(({ adopted }) => adopted);
  expect(told).to.have.members([true, false]);
  const rows = await Promise.all(
    both.map(({ connection }) =>
      query(connection, 'select pg_postmaster_start_time()::text as t'),
    ),
  );
  expect(rows[0]).to.deep.equal(rows[1]);
}
