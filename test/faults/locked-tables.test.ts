import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { EXACT, FULL, within } from '../support/full.js';
import { LIFTED } from '../support/lifted.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import { untilHeard } from '../support/until-heard.js';
import { atOnce, draft, post, type Reply, template } from '../support/wire.js';
import { recordFaults } from './report.js';

const ROUNDS = FULL ? 10 : 1;
const LOCKED_MS = 10_000;
const CLIENTS = 40;
/** Required are 3 s; the rest is what a busy machine takes. */
const WITHIN_MS = within(3500);

describe('a database whose tables are locked', () => {
  let test: TestBoard;
  let outside: pg.Client;
  let root: number;

  before(async () => {
    test = await startBoard({ limits: LIFTED, timeoutFactor: 1 });
    root = (await publish(test)).message.id;
    outside = new pg.Client({ connectionString: test.databaseUrl });
    await outside.connect();
  });

  after(async () => {
    await outside.end();
    await checkLedger(test);
    await test.stop();
  });

  async function timed(work: Promise<Reply>): Promise<Reply & { ms: number }> {
    const started = performance.now();
    const reply = await work;
    return { ...reply, ms: performance.now() - started };
  }

  /** Whatever the round before has left a busy machine to do. */
  async function ticket(): Promise<object> {
    const ask = () => post(test.url, '/write/preview', draft(root));
    return template(await untilHeard(ask));
  }

  /** It lives, and says that it is not ready where it finds that out. */
  async function expectLife(table: string): Promise<void> {
    const live = await fetch(`${test.url}/healthz`);
    expect(live.status, await live.text()).to.equal(200);
    if (table !== 'message') return;
    const ready = await fetch(`${test.url}/readyz`);
    expect(ready.status, await ready.text()).to.equal(503);
  }

  for (const table of ['message', 'ticket', 'budget_head']) {
    it(`answers in time while nobody gets at ${table}`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const tickets = await atOnce(CLIENTS, ticket);
        await outside.query('BEGIN');
        await outside.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
        let locked = true;
        const refused = new Set<number>();
        const everyone = until(
          'a refusal of each',
          () => refused.size === CLIENTS * 2,
        );
        const enough = FULL ? pause(LOCKED_MS) : everyone;
        const looked = enough.then(() => expectLife(table));
        const unlocked = looked.finally(async () => {
          locked = false;
          await outside.query('ROLLBACK');
        });
        const slowest: number[] = [];
        await atOnce(CLIENTS * 2, async (n) => {
          while (locked) {
            const work =
              n % 2 === 0
                ? post(test.url, '/write/preview', draft(root))
                : post(test.url, '/write/publish', tickets[n >> 1] ?? {});
            const { ms, status, body } = await timed(work);
            slowest.push(ms);
            if (status < 300) continue;
            expect([status, body.error]).to.deep.equal([503, 'unavailable']);
            refused.add(n);
          }
        });
        await unlocked;
        await everyone;
        if (EXACT) expect(Math.max(...slowest)).to.be.below(WITHIN_MS);
        const again = await atOnce(CLIENTS, (n) =>
          timed(
            untilHeard(() =>
              post(test.url, '/write/publish', tickets[n] ?? {}),
            ),
          ),
        );
        for (const { status, ms } of again) {
          expect(status).to.be.oneOf([200, 201]);
          expect(ms).to.be.below(within(2000));
        }
      }
      const acked = ROUNDS * CLIENTS;
      await recordFaults({ test: `A7 ${table}`, faults: ROUNDS, acked });
    });
  }
});
