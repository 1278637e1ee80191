import { expect } from 'chai';
import pg from 'pg';
import { startBoard, type TestBoard } from '../../../support/board.js';
import { checkLedger } from '../../../support/check-ledger.js';
import { publish } from '../../../support/post.js';
import { until } from '../../../support/until.js';
import { network } from '../../votes/rating.js';
import { report, send } from './reporting.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('Limits of reports', () => {
  let test: TestBoard;
  let limits: Record<string, number> = {};

  const start = async (own: Record<string, number> = {}) => {
    limits = own;
    test = await startBoard({ limits, env: { ROLES: 'api' } });
    await publish(test);
  };

  afterEach(async () => {
    await checkLedger(test);
    await test.stop();
  });

  async function sent(times: number, from?: string): Promise<number[]> {
    const statuses: number[] = [];
    for (let n = 0; n < times; n += 1) {
      statuses.push((await send(test, report(), from)).status);
    }
    return statuses;
  }

  async function refused(from?: string): Promise<Record<string, unknown>> {
    const answer = await send(test, report(), from).expect(429);
    const { retry_after_seconds: seconds } = answer.body;
    expect(answer.headers['retry-after']).to.equal(String(seconds));
    expect(answer.body.error).to.equal('rate_limited');
    return answer.body;
  }

  it('five of a network in ten minutes, rolling', async () => {
    await start();
    expect(await sent(1)).to.deep.equal([201]);
    test.clock.advance(4 * MINUTE_MS);
    expect(await sent(4)).to.deep.equal([201, 201, 201, 201]);
    expect(await refused()).to.include({
      scope: 'reports_per_network_10_minutes',
      retry_after_seconds: 360,
    });
    expect(await sent(1, '198.51.100.1')).to.deep.equal([201]);
    test.clock.advance(6 * MINUTE_MS - 1);
    await refused();
    test.clock.advance(1);
    expect(await sent(1)).to.deep.equal([201]);
    expect(await refused()).to.include({ retry_after_seconds: 240 });
  });

  it('stand in the RateLimit header, also of an exact retry', async () => {
    await start();
    await sent(1);
    test.clock.advance(4 * MINUTE_MS);
    const body = report();
    for (const status of [201, 200]) {
      const { headers } = await send(test, body).expect(status);
      // Noon of the test clock's day, four minutes on.
      expect(headers.ratelimit).to.equal(
        `"reports_per_network_10_minutes";r=3;t=360, "reports_per_network_day";r=18;t=${(12 * HOUR_MS - 4 * MINUTE_MS) / 1000}`,
      );
    }
  });

  it('the ten minutes hold across midnight', async () => {
    await start();
    test.clock.set(Date.UTC(2026, 0, 15, 23, 55));
    expect(await sent(5)).to.deep.equal([201, 201, 201, 201, 201]);
    test.clock.set(Date.UTC(2026, 0, 16, 0, 4, 59));
    expect(await refused()).to.include({ retry_after_seconds: 1 });
    test.clock.advance(1000);
    expect(await sent(1)).to.deep.equal([201]);
  });

  it('twenty of a network in a UTC day', async () => {
    await start();
    for (let n = 0; n < 4; n += 1) {
      expect(await sent(5)).to.deep.equal([201, 201, 201, 201, 201]);
      test.clock.advance(10 * MINUTE_MS);
    }
    expect(await refused()).to.include({
      scope: 'reports_per_network_day',
      retry_after_seconds: (11 * HOUR_MS + 20 * MINUTE_MS) / 1000,
    });
    test.clock.set(Date.UTC(2026, 0, 16) - 1);
    await refused();
    test.clock.advance(1);
    expect(await sent(1)).to.deep.equal([201]);
  });

  it('three hundred of the board in a UTC day, here five', async () => {
    await start({ reports_per_board_day: 5 });
    for (let n = 0; n < 5; n += 1) {
      expect(await sent(1, network(n))).to.deep.equal([201]);
    }
    expect(await refused(network(9))).to.include({
      scope: 'reports_per_board_day',
      retry_after_seconds: (12 * HOUR_MS) / 1000,
    });
    test.clock.advance(12 * HOUR_MS);
    expect(await sent(1, network(9))).to.deep.equal([201]);
  });

  it('are exact under 100 reports at once', async () => {
    await start({ reports_per_board_day: 30 });
    const one = await Promise.all(
      Array.from({ length: 100 }, () => send(test, report())),
    );
    const count = (answers: { status: number }[], status: number) =>
      answers.filter((answer) => answer.status === status).length;
    expect([count(one, 201), count(one, 429)]).to.deep.equal([5, 95]);
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, n) => send(test, report(), network(n))),
    );
    expect([count(all, 201), count(all, 429)]).to.deep.equal([25, 75]);
    const [row] = await test.board.context.reads.query<{ n: number }>(
      'SELECT count(*) AS n FROM report',
    );
    expect(row?.n).to.equal(30);
  });

  it('are looked at behind whoever spends at the same moment', async () => {
    await start();
    expect(await sent(4)).to.deep.equal([201, 201, 201, 201]);
    const other = new pg.Client({ connectionString: test.databaseUrl });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM budget_head FOR UPDATE');
      const waiting = [1, 2, 3].map(() => sent(1));
      await until('three waiters', async () => {
        const rows = await test.board.context.reads.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
           AND wait_event_type = 'Lock' AND query LIKE '%budget_take_all%'`,
        );
        return rows.length === waiting.length;
      });
      await other.query('COMMIT');
      const statuses = (await Promise.all(waiting)).flat();
      expect(statuses.sort()).to.deep.equal([201, 429, 429]);
    } finally {
      await other.end();
    }
  });

  it('spend nothing for a retry, a conflict, or what is refused', async () => {
    await start();
    const first = report();
    await send(test, first).expect(201);
    for (let n = 0; n < 10; n += 1) {
      await send(test, first).expect(200);
      await send(test, { ...first, reason: 'other' }).expect(409);
      await send(test, report({ reason: 'x' })).expect(400);
      await send(test, report({ message_id: 99 })).expect(404);
    }
    expect(await sent(4)).to.deep.equal([201, 201, 201, 201]);
    for (let n = 0; n < 3; n += 1) await refused();
    await send(test, first).expect(200);
    test.clock.advance(10 * MINUTE_MS);
    expect(await sent(5)).to.deep.equal([201, 201, 201, 201, 201]);
  });

  it('do not change with the header of monitoring', async () => {
    await start();
    expect(await sent(5)).to.have.length(5);
    await send(test, report())
      .set('X-Board-Source', 'board-monitor')
      .expect(429);
  });
});
