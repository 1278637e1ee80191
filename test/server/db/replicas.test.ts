import { expect } from 'chai';
import { parseConfig } from '../../../server/config.js';
import { type OpenDatabase, openDatabase } from '../../../server/db/connect.js';
import type { ReplicaState } from '../../../server/db/replicas/replica.js';
import { silentLogger } from '../../../server/logger.js';
import { PostgresServer } from '../../support/postgres-server.js';
import { startTcpGate } from '../../support/tcp-gate.js';
import { until } from '../../support/until.js';

const PATIENCE = 10;
const COUNT = "SELECT last_id::int AS n FROM stream WHERE name = 'polls'";
const GROW = "UPDATE stream SET last_id = last_id + 1 WHERE name = 'polls'";

describe('replicas of the database', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let opened: OpenDatabase | null = null;

  before(async () => {
    primary = await PostgresServer.create();
    const { close } = await open([]);
    await close();
    await primary.query(
      "INSERT INTO stream VALUES ('polls', 0, 0) ON CONFLICT DO NOTHING",
    );
    standby = await primary.standby();
  });

  after(async () => {
    await standby.remove();
    await primary.remove();
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

  it('answer reads with what was written before', async () => {
    const board = await open([standby.url()]);
    await becomes(board, 'serving');
    const first = (await count(board)) ?? 0;
    const before = (await looked(board))?.reads ?? 0;
    for (let n = 1; n <= 100; n += 1) {
      await grow(board);
      expect(await count(board)).to.equal(first + n);
    }
    expect((await looked(board))?.reads).to.be.greaterThan(before);
  });

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
