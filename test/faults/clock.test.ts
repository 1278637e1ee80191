import { startBoard, type TestBoard } from '../support/board.js';
import { TestClock } from '../support/clock.js';
import { FULL } from '../support/full.js';
import { publish } from '../support/post.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { atOnce, draft, post, ticketFor } from '../support/wire.js';
import { check } from './check.js';
import { asked, type History, publishDeed } from './history/history.js';
import { readState } from './history/state.js';
import { recordFaults } from './report.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const JUMPS = FULL ? 40 : 10;
const BY = [-DAY, -HOUR, -SECOND, HOUR, DAY];
const SKEWS = FULL ? 10 : 3;
const LEAPS = 2;
const AT_ONCE = 8;
/** More than any ticket lives, so that none is fresh after it. */
const TICKET_MS = 600 * SECOND;

describe('a clock that cannot be trusted', () => {
  let test: TestBoard;
  let history: History;

  afterEach(() => test.stop());

  async function start(clock: TestClock): Promise<void> {
    history = [];
    test = await startBoard({ lifted: true, clock });
    await publish(test);
  }

  async function write(meanwhile: () => void = () => {}): Promise<void> {
    const previewed = await atOnce(AT_ONCE, async () => {
      const one = draft(1);
      return { one, ticket: await ticketFor(test.url, one) };
    });
    const sent = previewed.map(async ({ one, ticket }) => {
      const t = performance.now();
      const reply = await post(test.url, '/write/publish', ticket);
      history.push(publishDeed(asked(one), t, reply));
      return reply;
    });
    meanwhile();
    for (const { status, body } of await Promise.all(sent)) {
      if (status === 201) continue;
      expect(body.error, JSON.stringify(body)).to.equal('ticket_expired');
    }
  }

  async function judge(row: string, seed: number, faults: number) {
    const state = await readState(test.url, (sql) =>
      test.board.context.reads.query(sql, []),
    );
    const violations = check(history, state);
    const acked = history.filter(({ res }) => res.kind === 'ok').length;
    await recordFaults({ test: row, seed, faults, acked, violations });
  }

  it(`jumps ${JUMPS} times under load, and order and times stay`, async () => {
    const seed = chosenSeed();
    const random = randomOf(seed);
    await start(new TestClock());
    for (let n = 0; n < JUMPS; n += 1) {
      const jump = BY[Math.floor(random() * BY.length)] ?? 0;
      await write(() => test.clock.advance(jump));
      await write();
    }
    await judge('C2', seed, JUMPS);
  });

  it('lets a ticket from before a jump expire, never live longer', async () => {
    await start(new TestClock());
    const ticket = await ticketFor(test.url, draft(1));
    const began = test.clock.now();
    test.clock.set(began - DAY);
    test.clock.set(began + TICKET_MS + SECOND);
    const { body } = await post(test.url, '/write/publish', ticket);
    expect(body.error).to.equal('ticket_expired');
    await judge('C2 ticket', 0, 2);
  });

  it(`is ${SKEWS} times away from its database's, which readiness tells`, async () => {
    const seed = chosenSeed();
    const random = randomOf(seed);
    await start(new TestClock(Date.now()));
    const ready = async () => {
      const { status } = await test.as().get('/readyz');
      return status;
    };
    for (let n = 0; n < SKEWS; n += 1) {
      const skew = (random() < 0.5 ? -1 : 1) * (10 + random() * 590) * SECOND;
      test.clock.set(Date.now() + Math.round(skew));
      expect(await ready(), `${skew} ms`).to.equal(503);
      await write();
    }
    await judge('C3', seed, SKEWS);
  });

  it(`says a second twice, ${LEAPS} times`, async () => {
    await start(new TestClock(Date.UTC(2026, 11, 31, 23, 59, 58)));
    for (let n = 0; n < LEAPS; n += 1) {
      await write();
      test.clock.advance(SECOND);
      await write(() => test.clock.advance(-SECOND));
      test.clock.advance(SECOND);
      await write();
    }
    await judge('C3 leap seconds', 0, LEAPS);
  });
});
