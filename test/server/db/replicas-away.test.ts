import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { PostgresServer } from '../../support/postgres-server.js';
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
