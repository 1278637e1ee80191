import pg from 'pg';
import { parseConfig } from '../../../server/config.js';
import { type OpenDatabase, openDatabase } from '../../../server/db/connect.js';
import type { ReplicaState } from '../../../server/db/replicas/replica.js';
import { silentLogger } from '../../../server/logger.js';
import { startBoard } from '../../support/board.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { PostgresServer, withStandby } from '../../support/postgres-server.js';
import { replicated } from '../../support/replicated.js';
import { startTcpGate } from '../../support/tcp-gate.js';
import { until } from '../../support/until.js';

const PATIENCE = 10;
const COUNT = "SELECT last_id::int AS n FROM stream WHERE name = 'polls'";
const GROW = "UPDATE stream SET last_id = last_id + 1 WHERE name = 'polls'";

describe('replicas of the database', () => {
  const { primary, standby } = given(withStandby);
  let opened: OpenDatabase | null = null;

  before(async () => {
    const { close } = await open([]);
    await close();
    await primary.query(
      "INSERT INTO stream VALUES ('polls', 0, 0) ON CONFLICT DO NOTHING",
    );
  });

  afterEach(async () => {
    await opened?.close();
    opened = null;
  });

  async function open(
    urls: readonly string[],
    url = primary.url(),
    factor = PATIENCE,
  ): Promise<OpenDatabase> {
    const config = parseConfig({
      DATABASE_URL: url,
      DATABASE_REPLICA_URLS: urls.join(','),
    });
    opened = await openDatabase(config, silentLogger, factor);
    return opened;
  }

  const count = async ({ reads }: OpenDatabase) =>
    (await reads.query<{ n: number }>(COUNT))[0]?.n;
  const grow = ({ writes }: OpenDatabase) => writes.query(GROW);
  const looked = async ({ replicas }: OpenDatabase, at = 0) =>
    (await replicas?.look())?.replicas[at];

  async function waitsForStandby(): Promise<boolean> {
    const [row] = await primary.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    );
    return row?.n === 1;
  }

  /** Reads all the while: a replica is taken by who asks it. */
  async function becomes(
    board: OpenDatabase,
    state: ReplicaState,
    at = 0,
  ): Promise<void> {
    await until(`a replica that is ${state}`, async () => {
      await count(board);
      const facts = await looked(board, at);
      const isThere = state !== 'serving' || facts?.behindBytes === 0;
      return isThere && facts?.state === state;
    });
  }

  it('are left to the primary while they lag, and taken again', async () => {
    const board = await open([standby.url()]);
    await becomes(board, 'serving');
    await standby.query('SELECT pg_wal_replay_pause()');
    try {
      const first = (await count(board)) ?? 0;
      for (let n = 1; n <= 10; n += 1) {
        await grow(board);
        expect(await count(board)).to.equal(first + n);
      }
      expect((await looked(board))?.state).to.equal('behind');
      expect((await looked(board))?.behindBytes).to.be.greaterThan(0);
    } finally {
      await standby.query('SELECT pg_wal_replay_resume()');
    }
    await becomes(board, 'serving');
    expect((await looked(board))?.behindBytes).to.equal(0);
  });

  it('are left when they end, and taken again when they are back', async () => {
    const board = await open([standby.url()]);
    await becomes(board, 'serving');
    await standby.end('immediate');
    await grow(board);
    await becomes(board, 'unreachable');
    await standby.start();
    await becomes(board, 'serving');
  });

  it('are left when they no longer answer', async () => {
    const gate = await startTcpGate(standby.url());
    try {
      const board = await open([gate.url], primary.url(), 1);
      await becomes(board, 'serving');
      const first = (await count(board)) ?? 0;
      await grow(board);
      gate.hold();
      expect(await count(board)).to.equal(first + 1);
      expect((await looked(board))?.state).to.equal('unreachable');
      gate.pass();
      await becomes(board, 'serving');
    } finally {
      await opened?.close();
      opened = null;
      await gate.stop();
    }
  });

  it('show nothing that the primary does not show yet', async () => {
    const board = await open([standby.url()]);
    await becomes(board, 'serving');
    const on = async (value: string) => {
      await primary.query(
        `ALTER SYSTEM SET synchronous_standby_names = '${value}'`,
      );
      await primary.query('SELECT pg_reload_conf()');
    };
    // A commit has its answer when the second one has it, which does not exist.
    await on('FIRST 2 (walreceiver, nobody)');
    let first = 0;
    let commit: Promise<unknown> = Promise.resolve();
    // Processes take the setting up one by one.
    await until('a commit that waits for its standbys', async () => {
      first = (await count(board)) ?? 0;
      let isOver = false;
      commit = grow(board)
        .catch(() => {})
        .finally(() => {
          isOver = true;
        });
      let isWaiting = false;
      await until('its end, or its wait', async () => {
        isWaiting = await waitsForStandby();
        return isOver || isWaiting;
      });
      return isWaiting;
    });
    try {
      await until('a standby that is ahead', async () => {
        const [row] = await standby.query<{ n: number }>(COUNT);
        return row?.n === first + 1;
      });
      for (let n = 0; n < 20; n += 1) {
        expect(await count(board)).to.equal(first);
      }
    } finally {
      await on('');
      await commit;
    }
    expect(await count(board)).to.equal(first + 1);
  });

  it('answer on while the primary is away, as of the last commit', async () => {
    const board = await open([standby.url()]);
    await becomes(board, 'serving');
    await grow(board);
    const last = await count(board);
    await becomes(board, 'serving');
    await primary.end();
    try {
      for (let n = 0; n < 20; n += 1) {
        expect(await count(board)).to.equal(last);
      }
      const refused = await grow(board).then(
        () => null,
        (error: unknown) => error,
      );
      expect(refused).to.be.instanceOf(Error);
    } finally {
      await primary.start();
    }
    await until('writes again', async () => {
      try {
        await grow(board);
        return true;
      } catch {
        return false;
      }
    });
    expect(await count(board)).to.equal((last ?? 0) + 1);
    await becomes(board, 'serving');
  });

  it('answer nothing that a standby was promoted to', async () => {
    const other = await primary.standby();
    try {
      const board = await open([other.url()]);
      await becomes(board, 'serving');
      const first = await count(board);
      await other.promote();
      await other.query(GROW);
      expect(await count(board)).to.equal(first);
      await becomes(board, 'primary');
      expect(await count(board)).to.equal(first);
    } finally {
      await opened?.close();
      opened = null;
      await other.remove();
    }
  });

  it('answer nothing of another history or another database', async () => {
    const promoted = await primary.standby();
    const foreign = await PostgresServer.create();
    try {
      await promoted.promote();
      // A standby of the promoted one is ahead of the primary, and beside it.
      const follower = await promoted.standby();
      try {
        const board = await open([follower.url(), foreign.url(), '']);
        await becomes(board, 'other_timeline', 0);
        await becomes(board, 'foreign', 1);
        const served = (await board.replicas?.look())?.replicas ?? [];
        expect(served.map(({ reads }) => reads)).to.eql([0, 0]);
      } finally {
        await opened?.close();
        opened = null;
        await follower.remove();
      }
    } finally {
      await promoted.remove();
      await foreign.remove();
    }
  });

  it('leave the refusal of a statement to the primary', async () => {
    const board = await open([standby.url()]);
    await becomes(board, 'serving');
    const refused = await board.reads.query('SELECT 1 / 0').then(
      () => null,
      (error: { code?: string }) => error.code,
    );
    expect(refused).to.equal('22012');
    expect((await looked(board))?.state).to.equal('serving');
  });
});

describe('a board whose primary ends right after a commit', () => {
  const { primary, standby, test } = given(async () => {
    const { primary, standby, stop: end } = await withStandby();
    // A commit that is shown is on the standby's disk, whatever it has replayed.
    await primary.query(
      "ALTER SYSTEM SET synchronous_standby_names = 'walreceiver'",
    );
    await primary.end();
    await primary.start();
    const test = await startBoard({
      databaseUrl: primary.url(),
      lifted: true,
      env: { DATABASE_REPLICA_URLS: standby.url() },
    });
    await until('a replica that serves', async () => {
      await test.as().get('/api/threads?limit=1').expect(200);
      const found = await test.board.context.replicas?.look();
      return (found?.replicas[0]?.reads ?? 0) > 0;
    });
    const stop = async () => {
      await test.stop();
      await end();
    };
    return { primary, standby, test, stop };
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
  const { primary, standby, gate, holder, opened } = given(async () => {
    const { primary, standby, gate, stop: end } = await replicated();
    const holder = new pg.Client({ connectionString: primary.url() });
    holder.on('error', () => {});
    await holder.connect();
    const config = parseConfig({
      DATABASE_URL: gate.url,
      DATABASE_REPLICA_URLS: standby.url(),
    });
    const opened = await openDatabase(config, silentLogger, 3);
    const stop = async () => {
      await opened.close();
      await holder.end();
      await end();
    };
    return { primary, standby, gate, holder, opened, stop };
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
