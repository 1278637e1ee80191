import { whileActive } from '../../../mesh/pull/store/apply-page.js';
import type { Database } from '../../../server/db/sql.js';
import { connected } from '../../support/database.js';
import { given } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import { befriend, twoNodes } from './node-on-port.js';

describe('a peer that is forgotten or blocked while its log is used', () => {
  const { a, b } = given(twoNodes());
  let other: Awaited<ReturnType<typeof connected>>;
  let watcher: Awaited<ReturnType<typeof connected>>;

  before(async () => {
    other = await connected(a.databaseUrl, { patient: true });
    watcher = await connected(a.databaseUrl);
  });

  after(async () => {
    await other.end();
    await watcher.end();
  });

  async function mirror(): Promise<{ name: string; originId: number }> {
    const name = await befriend(a, b);
    await until('a mirror', async () => {
      const { mirrored_size, remote_size } = await a.board.peerAdmin.read(name);
      return (mirrored_size ?? 0) > 0 && mirrored_size === remote_size;
    });
    const [peer] = await watcher.db.query<{ originId: number }>(
      'SELECT origin_id AS "originId" FROM peer WHERE name = $1',
      [name],
    );
    return { name, originId: peer?.originId ?? 0 };
  }

  const isWaitedFor = (pid: number) =>
    until('one who waits', async () => {
      const waiting = await watcher.db.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE $1 = ANY (pg_blocking_pids(pid))`,
        [pid],
      );
      return waiting.length > 0;
    });

  /** Two steps of one transaction, with work begun in between that waits. */
  async function around<T>(
    db: Database,
    steps: readonly [first: string, second: string],
    work: () => Promise<T>,
  ): Promise<T> {
    let waiting: Promise<T> | null = null;
    await db.transaction(async (tx) => {
      const [own] = await tx.query<{ pid: number }>(
        'SELECT pg_backend_pid() AS pid',
      );
      await tx.query(steps[0]);
      waiting = work();
      waiting.catch(() => {}); // awaited below
      await isWaitedFor(own?.pid ?? 0);
      await tx.query(steps[1]);
    });
    if (waiting === null) throw new Error('nothing was begun');
    return await waiting;
  }

  it('waits for a page that is being stored, which comes to its tables later', async () => {
    const { name, originId } = await mirror();
    const stored = [
      'SELECT 1',
      'LOCK TABLE log_entry IN ROW EXCLUSIVE MODE',
    ] as const;
    const page = whileActive(other.db, originId);
    const { peerAdmin } = a.board;
    const blocked = await around(page, stored, () => peerAdmin.block(name));
    expect(blocked.status).to.equal('blocked');
    await peerAdmin.forget(name);
    const again = await mirror();
    const next = whileActive(other.db, again.originId);
    await around(next, stored, () => peerAdmin.forget(name));
    expect(await peerAdmin.list()).to.eql([]);
  });

  it('begins again when PostgreSQL ends it in favour of another one', async () => {
    const { name } = await mirror();
    // A sequence goes on where a transaction is rolled back.
    await other.db.query('CREATE SEQUENCE tries');
    await other.db.query(
      `CREATE FUNCTION end_twice() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF nextval('tries') < 3 THEN
           RAISE 'deadlock detected' USING ERRCODE = '40P01';
         END IF;
         RETURN OLD;
       END $$`,
    );
    await other.db.query(
      `CREATE TRIGGER ended BEFORE DELETE ON peer
       FOR EACH ROW EXECUTE FUNCTION end_twice()`,
    );
    const { peerAdmin } = a.board;
    await peerAdmin.forget(name);
    expect(await peerAdmin.list()).to.eql([]);
    const [{ tries } = { tries: 0 }] = await other.db.query<{ tries: number }>(
      'SELECT last_value::int AS tries FROM tries',
    );
    expect(tries).to.equal(3);
  });
});
