import { expect } from 'chai';
import pg from 'pg';
import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { LIFTED } from '../support/lifted.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import { draft, post, type Reply, template } from '../support/wire.js';
import { FAULTS, plantFault } from './planted-fault.js';

const MAX_QUERIES = 40;

describe('a write whose n-th query fails', function () {
  this.timeout(60_000);
  let test: TestBoard;
  let outside: pg.Client;
  let root: number;

  before(async () => {
    test = await startBoard({ limits: LIFTED, patience: 1 });
    root = (await publish(test)).message.id;
    outside = new pg.Client({ connectionString: test.databaseUrl });
    await outside.connect();
  });

  after(async () => {
    await outside.end();
    await checkLedger(test);
    await test.stop();
  });

  async function kill(pid: number): Promise<void> {
    await outside.query('SELECT pg_terminate_backend($1)', [pid]);
    await until('the end of a backend', async () => {
      const { rows } = await outside.query(
        'SELECT 1 FROM pg_stat_activity WHERE pid = $1',
        [pid],
      );
      return rows.length === 0;
    });
  }

  /** What is there of a request_id: messages, receipts, log entries, votes. */
  async function traces(requestId: string): Promise<number[]> {
    const { rows } = await outside.query<{ counts: number[] }>(
      `SELECT ARRAY[
         (SELECT count(*) FROM message WHERE request_id = $1),
         (SELECT count(*) FROM write_request WHERE request_id = $1),
         (SELECT count(*) FROM log_entry
          WHERE type = 'post' AND encode(leaf, 'escape') LIKE '%' || $1 || '%'),
         (SELECT count(*) FROM message_search s JOIN message m
          ON m.id = s.message_id WHERE m.request_id = $1)]::int[] AS counts`,
      [requestId],
    );
    return rows[0]?.counts ?? [];
  }

  function expectProper({ status, body, retryAfter }: Reply): void {
    if (status === 200 || status === 201) return;
    expect(status, JSON.stringify(body)).to.equal(503);
    expect(body.error).to.equal('unavailable');
    expect(retryAfter).to.match(/^[1-9]\d*$/);
  }

  for (const fault of FAULTS) {
    it(`${fault}: previews fail whole, and can be repeated`, async () => {
      for (let n = 1; n < MAX_QUERIES; n += 1) {
        const asked = draft(root);
        const plant = plantFault(n, fault, kill);
        const first = await post(test.url, '/write/preview', asked);
        plant.remove();
        expectProper(first);
        const again = await post(test.url, '/write/preview', asked);
        const done = await post(test.url, '/write/publish', template(again));
        expect(done.status).to.equal(201);
        if (plant.begun() < n) return;
      }
      throw new Error('a preview needs more queries than it should');
    });

    for (const vote of [0, 1]) {
      const what = vote === 0 ? 'publishes' : 'publishes with a vote';
      it(`${fault}: ${what} are whole or not at all`, async () => {
        for (let n = 1; n < MAX_QUERIES; n += 1) {
          const target = (await publish(test)).message.id;
          const asked = { ...draft(target), vote };
          const preview = await post(test.url, '/write/preview', asked);
          const ticket = template(preview);
          const plant = plantFault(n, fault, kill);
          const first = await post(test.url, '/write/publish', ticket);
          plant.remove();
          expectProper(first);
          const whole = (await traces(asked.request_id))[0] ?? 0;
          expect(await traces(asked.request_id)).to.deep.equal(
            [1, 1, 1, 1].map((one) => one * whole),
          );
          const again = await post(test.url, '/write/publish', ticket);
          expect(again.status).to.equal(whole === 1 ? 200 : 201);
          const score = await test.as().get(`/api/messages/${target}`);
          expect(score.body.score).to.equal(vote);
          if (plant.begun() < n) return;
        }
        throw new Error('a publish needs more queries than it should');
      });
    }
  }
});
