import { expect } from 'chai';
import pg from 'pg';
import { parseConfig } from '../../../server/config.js';
import { openDatabase } from '../../../server/db/connect.js';
import { silentLogger } from '../../../server/logger.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { PostgresServer } from '../../support/postgres-server.js';
import { startTcpGate } from '../../support/tcp-gate.js';
import { until } from '../../support/until.js';

describe('a board whose primary ends right after a commit', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let test: TestBoard;

  before(async () => {
    primary = await PostgresServer.create();
    standby = await primary.standby();
    // A commit that is shown is on the standby's disk, whatever it has replayed.
    await primary.query(
      "ALTER SYSTEM SET synchronous_standby_names = 'walreceiver'",
    );
    await primary.end();
    await primary.start();
    test = await startBoard({
      databaseUrl: primary.url(),
      limits: LIFTED,
      env: { DATABASE_REPLICA_URLS: standby.url() },
    });
    await until('a replica that serves', async () => {
      await test.as().get('/api/threads?limit=1').expect(200);
      const found = await test.board.context.replicas?.look();
      return (found?.replicas[0]?.reads ?? 0) > 0;
    });
  });

  after(async () => {
    await test.stop();
    await standby.remove();
    await primary.remove();
  });

  const last = async () => {
    const { status, body } = await test.as().get('/api/updates?since=0');
    return status === 200 ? body.data.at(-1)?.id : status;
  };

  const primaryReads = async () =>
    (await test.board.context.replicas?.look())?.primaryReads;

  it('shows no log without its end, and reads on when a replica has it', async () => {
    const first = (await publish(test)).message.id;
    await standby.caughtUpWith(primary);
    await standby.query('SELECT pg_wal_replay_pause()');
    const second = (await publish(test)).message.id;
    await primary.end('immediate');
    expect(await last()).to.equal(503);
    // A silent primary would let each statement wait for seconds.
    const before = await primaryReads();
    for (let n = 0; n < 5; n += 1) expect(await last()).to.equal(503);
    expect(await primaryReads()).to.equal(before);
    await standby.query('SELECT pg_wal_replay_resume()');
    await until('reads again', async () => (await last()) !== 503);
    expect(await last()).to.equal(second);
    expect(second).to.equal(first + 1);
    // One more commit, of which nobody can tell any more where it is.
    const { replicas, guard } = test.board.context;
    replicas?.committed();
    expect(await last()).to.equal(second);
    // Another process has appended, and told this one.
    const { end } = guard.memory;
    if (end === null) throw new Error('nothing was signed');
    replicas?.showUpTo(() => ({ ...end, size: end.size + 1 }));
    expect(await last()).to.equal(503);
    replicas?.showUpTo(() => end);
    await until('reads again', async () => (await last()) !== 503);
  });
});

describe('a statement at a primary that goes silent', () => {
  const LOCK = 7;
  let primary: PostgresServer;
  let standby: PostgresServer;
  let gate: Awaited<ReturnType<typeof startTcpGate>>;
  let holder: pg.Client;
  let opened: Awaited<ReturnType<typeof openDatabase>>;

  before(async () => {
    primary = await PostgresServer.create();
    standby = await primary.standby();
    gate = await startTcpGate(primary.url());
    holder = new pg.Client({ connectionString: primary.url() });
    holder.on('error', () => {});
    await holder.connect();
    const config = parseConfig({
      DATABASE_URL: gate.url,
      DATABASE_REPLICA_URLS: standby.url(),
    });
    opened = await openDatabase(config, silentLogger, 3);
  });

  after(async () => {
    await opened.close();
    await holder.end();
    await gate.stop();
    await standby.remove();
    await primary.remove();
  });

  it('is answered by a replica', async () => {
    const { reads, writes } = opened;
    await until('a replica that serves', async () => {
      await reads.query('SELECT 1');
      const found = await opened.replicas?.look();
      return (found?.replicas[0]?.reads ?? 0) > 0;
    });
    await standby.query('SELECT pg_wal_replay_pause()');
    await writes.query("INSERT INTO stream VALUES ('polls', 1, 0)");
    // On the primary it waits for a lock that nobody holds on the standby.
    await holder.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const waiting = reads.query<{ n: number }>(
      `SELECT last_id::int AS n, pg_advisory_xact_lock($1)
       FROM stream WHERE name = 'polls'`,
      [LOCK],
    );
    await until('a statement that waits', async () => {
      const rows = await primary.query(
        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
      );
      return rows.length > 0;
    });
    gate.hold();
    await standby.query('SELECT pg_wal_replay_resume()');
    const rows = await waiting;
    expect(rows.map(({ n }) => n)).to.eql([1]);
  });
});
