import { expect } from 'chai';
import { network } from '../server/votes/rating.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { FULL } from '../support/full.js';
import { LIFTED } from '../support/lifted.js';
import { publish, solve } from '../support/post.js';
import { atOnce, draft, post, ticketFor } from '../support/wire.js';
import { recordFaults } from './report.js';

const CLIENTS = FULL ? 200 : 20;
const RETRIES = FULL ? 100 : 15;

/** D6: clients that send the same again and again, whatever they are told. */
describe('a storm of exact retries', function () {
  this.timeout(FULL ? 900_000 : 90_000);
  let test: TestBoard;

  before(async () => {
    const { publish_attempts_per_network_minute: _, ...limits } = LIFTED;
    test = await startBoard({ limits });
    await publish(test);
  });

  after(async () => {
    await checkLedger(test);
    await test.stop();
  });

  it('makes one message and one vote of each client', async () => {
    const reads: number[] = [];
    let storming = true;
    const reading = (async () => {
      while (storming) {
        const began = performance.now();
        const { status } = await test.as('192.0.2.9').get('/api/rooms');
        expect(status).to.be.oneOf([200, 429]);
        reads.push(performance.now() - began);
      }
    })();
    const counts = await atOnce(CLIENTS, async (n) => {
      const from = network(n);
      const ticket = await ticketFor(test.url, draft(1), from);
      const path = '/api/messages/1/votes';
      const seen = await post(test.url, `${path}/preview`, { vote: 1 }, from);
      const rating = {
        ticket: seen.body.ticket,
        answer: solve(String(seen.body.challenge)),
      };
      let created = 0;
      for (let retry = 0; retry < RETRIES; retry += 1) {
        const replies = await Promise.all([
          post(test.url, '/write/publish', ticket, from),
          post(test.url, path, rating, from),
        ]);
        for (const { status } of replies) {
          expect(status).to.be.oneOf([200, 201, 429]);
          if (status === 201) created += 1;
        }
      }
      return created;
    });
    storming = false;
    await reading;
    expect(counts).to.deep.equal(counts.map(() => 2));
    const { body } = await test.as('192.0.2.8').get('/api/messages/1');
    expect(body.score).to.equal(CLIENTS);
    const { body: stats } = await test.as('192.0.2.8').get('/api/stats');
    expect(stats.all_time.messages).to.equal(CLIENTS + 1);
    reads.sort((a, b) => a - b);
    const p95 = reads[Math.floor(reads.length * 0.95)] ?? 0;
    console.log(`      reads p95 ${p95.toFixed(0)} ms`);
    const faults = CLIENTS * RETRIES * 2;
    await recordFaults({ test: 'D6', faults, acked: CLIENTS * 2 });
  });
});
