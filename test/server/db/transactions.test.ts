import { connect, createServer } from 'node:net';
import { database } from '../../../server/db/connection.sql.js';
import { createDataSource } from '../../../server/db/data-source.js';
import type { Database, Tx } from '../../../server/db/sql.js';
import { isDatabaseUnavailable } from '../../../server/http/database-errors.js';
import { createDatabase } from '../../support/cluster.js';
import { connected, newDatabase } from '../../support/database.js';
import { givenEach } from '../../support/hooks.js';
import { isAlive } from '../../support/is-alive.js';
import { type Serving, serving } from '../../support/serving.js';
import { until } from '../../support/until.js';

const INSERT = 'INSERT INTO kept (n) VALUES ($1::int)';
const PID = 'SELECT pg_backend_pid() AS pid';

describe('a transaction', () => {
  const { db } = givenEach(newDatabase(1));

  beforeEach(() => db.query('CREATE TABLE kept (n int PRIMARY KEY)'));

  const kept = async () =>
    (await db.query<{ n: number }>('SELECT n FROM kept ORDER BY n')).map(
      ({ n }) => n,
    );

  type Work = Parameters<Database['transaction']>[0];
  const failing = (work: Work, isEager = false) =>
    db.transaction(work, () => null, isEager).catch((error: unknown) => error);

  it('does all or nothing, by hand and by the entity manager', async () => {
    await db.transaction(async (tx) => {
      await tx.query(INSERT, [1]);
      await tx.manager.query(INSERT, [2]);
    });
    expect(await kept()).to.deep.equal([1, 2]);
    const error = await failing(async (tx) => {
      await tx.manager.query(INSERT, [3]);
      await tx.query(INSERT, [1]);
    });
    expect(error).to.have.property('code', '23505');
    expect(await kept()).to.deep.equal([1, 2]);
  });

  it('returns the rows of every kind of statement', async () => {
    const rows = await db.transaction(async (tx) => [
      await tx.query('INSERT INTO kept (n) VALUES (1) RETURNING n'),
      await tx.query('UPDATE kept SET n = 2 RETURNING n'),
      await tx.query('DELETE FROM kept RETURNING n'),
    ]);
    expect(rows).to.deep.equal([[{ n: 1 }], [{ n: 2 }], [{ n: 2 }]]);
  });

  it('fails when an error was swallowed, or comes with its COMMIT', async () => {
    const error = await failing(async (tx) => {
      await tx.query(INSERT, [1]);
      await tx.query(INSERT, [1]).catch(() => {});
    });
    expect(error).to.be.instanceOf(Error);
    const twice = 'INSERT INTO kept VALUES (1), (1)';
    const late = await failing(async (tx) => {
      await tx.begun;
      tx.withCommit?.(() => tx.query(twice));
    }, true);
    expect(late).to.have.property('code', '23505');
    expect(await kept()).to.deep.equal([]);
  });

  it('takes no statement after its end', async () => {
    const over = await db.transaction(async (tx) => ({ tx }));
    const error = await over.tx.query(INSERT, [1]).catch((thrown) => thrown);
    expect(error).to.be.instanceOf(Error);
    expect(await kept()).to.deep.equal([]);
  });

  it('fails for the moment where this process stood still for too long', async () => {
    const error = await failing(async (tx) => {
      const [{ pid } = { pid: 0 }] = await tx.query<{ pid: number }>(PID);
      await tx.query('SET LOCAL idle_in_transaction_session_timeout = 10');
      // Nothing is read meanwhile, as on a machine without a moment to give.
      while (isAlive(pid));
      await tx.query(INSERT, [1]);
    });
    expect(error).to.be.instanceOf(Error);
    expect(isDatabaseUnavailable(error), String(error)).to.equal(true);
    expect(await kept()).to.deep.equal([]);
  });

  for (const [name, ask] of [
    ['by hand', (tx: Tx) => tx.query(INSERT, [2])],
    ['by entity', (tx: Tx) => tx.manager.query(INSERT, [2])],
  ] as const) {
    it(`fails for the moment where its connection is lost, ${name}`, async () => {
      const error = await failing(async (tx) => {
        const [{ pid } = { pid: 0 }] = await tx.query<{ pid: number }>(PID);
        await tx.query(INSERT, [1]);
        await tx
          .query('SELECT pg_terminate_backend(pg_backend_pid())')
          .catch(() => {});
        await until('the end of its connection', () => !isAlive(pid));
        return await ask(tx);
      });
      expect(error).to.be.instanceOf(Error);
      expect(isDatabaseUnavailable(error), String(error)).to.equal(true);
      expect(await kept()).to.deep.equal([]);
    });
  }
});

describe('a connection of a pool', () => {
  it('is replaced after its time, though it is never idle for long', async () => {
    const { url, drop } = await createDatabase();
    const source = createDataSource(
      { url },
      {
        max: 1,
        lifeSeconds: 0.05,
        onPoolError: (error) => {
          throw error;
        },
      },
    );
    try {
      const db = database(await source.initialize());
      const pid = async () => (await db.query<{ pid: number }>(PID))[0]?.pid;
      const first = await pid();
      expect(first).to.be.above(0);
      // Idleness alone would end it after ten seconds without a statement.
      await until('another connection', async () => (await pid()) !== first);
    } finally {
      await source.destroy();
      await drop();
    }
  });
});

/** `ReadyForQuery`, by which a server ends its greeting. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** What a server says to every connection before a fast shutdown. */
function farewell(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mthe server stops'];
  const body = Buffer.from(`${fields.join('\0')}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from('E'), length, body]);
}

/** Stands before a server and lets it stop within its own greeting. */
async function stoppingServer(
  url: URL,
  isStopping: () => boolean,
): Promise<Serving> {
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  const server = createServer((client) => {
    const upstream = folder?.startsWith('/')
      ? connect(`${folder}/.s.PGSQL.${port}`)
      : connect(port, url.hostname);
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      if (!isStopping() || !chunk.includes(READY)) client.write(chunk);
      else client.end(Buffer.concat([chunk, farewell()]));
    });
    client.on('close', () => upstream.destroy());
  });
  return await serving(server);
}

describe('a database that stops in the packet that greets', () => {
  it('fails the transaction, and does not end the process', async () => {
    const own = await createDatabase();
    const url = new URL(own.url);
    let isStopping = false;
    const { port, stop } = await stoppingServer(url, () => isStopping);
    const through = new URL(own.url);
    through.searchParams.delete('host');
    through.host = `127.0.0.1:${port}`;
    const { db, end } = await connected(through.href, { max: 2 });
    // The first connection is taken, so each of these makes another one.
    await db.withClient(async () => {
      isStopping = true;
      for (const work of [
        () => db.transaction((tx) => tx.query('SELECT 1')),
        () => db.query('SELECT 1'),
      ]) {
        const outcome = await work().then(
          () => 'done',
          () => 'failed',
        );
        expect(outcome).to.equal('failed');
      }
    });
    await end();
    await stop();
    await own.drop();
  });
});
