import { DAY_MS, utcDayStart } from '../../../../server/clock.js';
import { lockWaits } from '../../../support/database.js';
import { givenBoard } from '../../../support/hooks.js';
import { publish } from '../../../support/post.js';
import { rows } from '../../../support/rows.js';
import { until } from '../../../support/until.js';
import { report, send } from './reporting.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('Limits of reports', () => {
  const limits = { reports_per_board_day: 30 };
  const test = givenBoard({ limits, env: { ROLES: 'api' } });

  before(() => publish(test));

  /** Noon of a day on which nothing is spent. */
  beforeEach(() => test.clock.set(noon() + DAY_MS));

  const noon = () => utcDayStart(test.clock.now()) + DAY_MS / 2;

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

  it('stand in the RateLimit header, also of an exact retry', async () => {
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

  it('are looked at behind whoever spends at the same moment', async () => {
    expect(await sent(4)).to.deep.equal([201, 201, 201, 201]);
    let waiting: Promise<number[]>[] = [];
    await rows(test).transaction(async (tx) => {
      await tx.query('SELECT 1 FROM budget_head FOR UPDATE');
      waiting = [1, 2, 3].map(() => sent(1));
      await until('three waiters', async () => {
        const waiters = await lockWaits(rows(test), '%budget_take_all%');
        return waiters === waiting.length;
      });
    });
    const statuses = (await Promise.all(waiting)).flat();
    expect(statuses.sort()).to.deep.equal([201, 429, 429]);
  });

  it('spend nothing for a retry, a conflict, or what is refused', async () => {
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
    expect(await sent(5)).to.have.length(5);
    await send(test, report())
      .set('X-Board-Source', 'board-monitor')
      .expect(429);
  });
});
