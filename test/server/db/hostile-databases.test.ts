import { SteadyClock } from '../../../server/clock.js';
import { readinessOf } from '../../../server/operations/health.js';
import { startBoard } from '../../support/board.js';
import { TestClock } from '../../support/clock.js';
import { freePort } from '../../support/free-port.js';
import { holdQuery } from '../../support/held-query.js';
import { given } from '../../support/hooks.js';
import { openingOf } from '../../support/opening.js';
import { preview, publish } from '../../support/post.js';
import { PostgresServer } from '../../support/postgres-server.js';
import { replicated } from '../../support/replicated.js';
import { until } from '../../support/until.js';

const READ_ONLY = 'default_transaction_read_only';

/** What a node is led to, while it runs and when it starts. */
describe('a database that is not the right one', () => {
  let metricsPort: number;
  const { primary, standby, gate, test } = given(async () => {
    const servers = await replicated();
    metricsPort = await freePort();
    const test = await startBoard({
      databaseUrl: servers.gate.url,
      lifted: true,
      steady: new SteadyClock(),
      env: {
        METRICS_PORT: String(metricsPort),
        DATABASE_REPLICA_URLS: servers.standby.url(),
      },
    });
    await publish(test, { title: 'The first' });
    const stop = () => test.stop().then(servers.stop);
    return { ...servers, test, stop };
  });

  async function readiness() {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/readyz`);
    const found = (await answer.json()) as {
      status: string;
      problems: Record<string, string>;
      replicas: { number: number; state: string; sentence: string }[];
    };
    expect(answer.status).to.equal(found.status === 'ok' ? 200 : 503);
    return found;
  }

  async function metric(series: string): Promise<number | undefined> {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    const lines = (await answer.text()).split('\n');
    const line = lines.find((one) => one.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  }

  /** Until the node has noticed; its sentence and its metric. */
  async function unready(problem: string): Promise<string> {
    let sentence: string | undefined;
    await until(`a node that notices: ${problem}`, async () => {
      sentence = (await readiness()).problems[problem];
      if (sentence === undefined) return false;
      return (await metric(`board_unready{problem="${problem}"}`)) === 1;
    });
    return sentence ?? '';
  }

  async function whole(): Promise<void> {
    await until('a node that is ready', async () => {
      await test.board.context.guard.check().catch(() => {});
      return (await readiness()).status === 'ok';
    });
    // Sessions of the server take a change of its settings up one by one.
    await until('a write that is taken', () =>
      publish(test, { title: 'One more' }).then(Boolean, () => false),
    );
  }

  async function closed(): Promise<void> {
    await until('a write that is refused', async () => {
      const { status, body } = await preview(test, { title: 'No' });
      expect(status, JSON.stringify(body)).to.be.oneOf([200, 503]);
      return body.error === 'unavailable';
    });
    await until('a read', async () => {
      const { status } = await test.as().get('/api/threads');
      expect(status).to.be.oneOf([200, 503]);
      return status === 200;
    });
  }

  it('is told on the loopback, with each replica, and not to the public', async () => {
    await until('a replica that serves', async () => {
      await test.as().get('/api/threads').expect(200);
      const { status, replicas } = await readiness();
      const [{ number, sentence } = {}, ...more] = replicas;
      expect([number, more]).to.eql([1, []]);
      const serving = 'board_replica_status{replica="1",status="serving"}';
      return (
        status === 'ok' &&
        sentence === 'It answers reads.' &&
        (await metric(serving)) === 1
      );
    });
    const { body } = await test.as().get('/readyz');
    expect(Object.keys(body)).to.eql(['status']);
  });

  it('takes no writes any more: they close, and reads go on', async () => {
    await primary.query(`ALTER SYSTEM SET ${READ_ONLY} = on`);
    await primary.query('SELECT pg_reload_conf()');
    expect(await unready('read-only')).to.match(
      /^The database takes no writes/,
    );
    await closed();
    await primary.query(`ALTER SYSTEM RESET ${READ_ONLY}`);
    await primary.query('SELECT pg_reload_conf()');
    await whole();
  });

  it('is a standby under the node’s feet: the same', async () => {
    gate.leadTo(standby.url());
    expect(await unready('read-only')).to.match(/lead to the primary\.$/);
    await closed();
    gate.leadTo(primary.url());
    await whole();
  });

  it('is that of another board: nothing is signed there', async () => {
    const other = await startBoard({
      databaseUrl: (await foreign()).url(),
      env: { BOARD_SEED: 'f0'.repeat(32), BOARD_NAME: 'other.example' },
      steady: new SteadyClock(),
    });
    try {
      await publish(other, { title: 'Of another board' });
      const size = () => sizeOn(other.databaseUrl);
      const before = await size();
      gate.leadTo(other.databaseUrl);
      await until('a write that is refused', async () => {
        const refusal = await publish(test, { title: 'Signed there' }).then(
          () => null,
          String,
        );
        expect(await size()).to.equal(before);
        return refusal?.includes('log_guard') ?? false;
      });
      // It looks by itself every 30 s.
      await test.board.context.guard.check();
      expect(await unready('log guard')).to.include('closed');
      expect(test.board.context.guard.closed).to.include('other.example/log');
    } finally {
      gate.leadTo(primary.url());
      await other.stop();
    }
    await whole();
  });

  it('has another clock: it is said, and what is written keeps its order', async () => {
    const clock = new TestClock(Date.now() + 60_000);
    const other = await startBoard({
      databaseUrl: gate.url,
      lifted: true,
      clock,
    });
    try {
      const { problems } = await readinessOf(other.board.context);
      expect(problems['clock skew']).to.match(
        /^The clocks of this machine and of the database's differ/,
      );
      // One late answer is no state of its own.
      const late = holdQuery(other.board.context.writes, () => true);
      const found = readinessOf(other.board.context);
      await until('a look', () => late.held() === 1);
      clock.advance(1500);
      late.release();
      late.remove();
      expect((await found).problems).to.eql(problems);
      const made = [];
      for (const board of [other, test, other, test]) {
        const { message } = await publish(board, { title: 'By two clocks' });
        const { body } = await test.as().get(`/api/messages/${message.id}`);
        made.push(Date.parse(body.created_at));
      }
      expect(made).to.eql(made.toSorted((a, b) => a - b));
    } finally {
      await other.stop();
    }
  });

  let stranger: PostgresServer | null = null;
  async function foreign(): Promise<PostgresServer> {
    stranger = await PostgresServer.create();
    return stranger;
  }

  after(() => stranger?.remove());

  async function sizeOn(url: string): Promise<number | undefined> {
    const database = new URL(url).pathname.slice(1);
    const [row] =
      (await stranger?.query<{ size: number }>(
        'SELECT size::int FROM log_state WHERE origin_id = 0',
        database,
      )) ?? [];
    return row?.size;
  }

  it('is a standby at the start: refused by name', async () => {
    expect(await openingOf(standby.url())).to.match(
      /^DATABASE_URL names a standby, which cannot be written/,
    );
  });

  it('has a replica that lags behind a change of the schema: the primary answers', async () => {
    await standby.query('SELECT pg_wal_replay_pause()');
    try {
      await primary.query('CREATE TABLE later (id integer)');
      await publish(test, { title: 'After it' });
      const { body } = await test.as().get('/api/threads?sort=new');
      expect(body.data[0].title).to.equal('After it');
      await until('a replica that is behind', async () => {
        await test.as().get('/api/threads').expect(200);
        const behind = 'board_replica_status{replica="1",status="behind"}';
        return (await metric(behind)) === 1;
      });
    } finally {
      await standby.query('SELECT pg_wal_replay_resume()');
    }
  });
});
