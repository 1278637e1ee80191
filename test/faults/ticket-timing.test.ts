import { expect } from 'chai';
import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { FULL } from '../support/full.js';
import { LIFTED } from '../support/lifted.js';
import { chosenSeed, randomBytes, randomOf } from '../support/random.js';
import { send } from '../support/send.js';
import { draft, ticketFor } from '../support/wire.js';
import { differenceOf } from './paired.js';
import { recordFaults } from './report.js';

const PAIRS = FULL ? 10_000 : 400;
const WARM_UP = 50;
const FROM = '203.0.113.1';

/** Table E: how long a ticket is looked for tells nothing about another one. */
describe('the time a wrong ticket takes', () => {
  let test: TestBoard;
  let known: Buffer;

  before(async () => {
    test = await startBoard({ limits: LIFTED });
    const { ticket } = await ticketFor(test.url, draft(null), FROM);
    known = Buffer.from(String(ticket), 'base64url');
  });

  after(async () => {
    await checkLedger(test);
    await test.stop();
  });

  async function timed(ticket: Buffer): Promise<number> {
    const body = JSON.stringify({
      ticket: ticket.toString('base64url'),
      answer: '65-harbor',
      confirm: 'publish-publicly',
    });
    const began = performance.now();
    const { status, text } = await send(test.url, {
      method: 'POST',
      path: '/write/publish',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
        'X-Forwarded-For': FROM,
      },
      body,
    });
    const took = performance.now() - began;
    expect(status, text).to.equal(400);
    expect(text).to.contain('"ticket_invalid"');
    return took;
  }

  /** All of a known ticket but its last byte. */
  function near(): Buffer {
    const ticket = Buffer.from(known);
    ticket[31] = (ticket[31] ?? 0) ^ 0x5a;
    return ticket;
  }

  it(`is that of any other, over ${PAIRS} pairs`, async () => {
    const random = randomOf(chosenSeed());
    const pairs: [number, number][] = [];
    for (let n = -WARM_UP; n < PAIRS; n += 1) {
      const far = randomBytes(32);
      const nearFirst = random() < 0.5;
      const first = await timed(nearFirst ? near() : far);
      const second = await timed(nearFirst ? far : near());
      if (n < 0) continue;
      pairs.push(nearFirst ? [second, first] : [first, second]);
    }
    const { median, noise } = differenceOf(pairs);
    const us = (ms: number) => (ms * 1000).toFixed(1);
    console.log(`      differs by ${us(median)} µs, noise ${us(noise)} µs`);
    expect(Math.abs(median)).to.be.below(noise);
    await recordFaults({ test: 'E timed', faults: PAIRS });
  });
});

describe('a difference of times', () => {
  /** Half a millisecond and a long tail, the whole machine slow by turns. */
  function pairsOf(more: number, random: () => number): [number, number][] {
    return Array.from({ length: 1000 }, (_, n) => {
      const slow = 1 + (n % 300) / 100;
      const one = () => slow * (0.5 + 0.1 / (0.02 + random()) / 10);
      return [one(), one() + more];
    });
  }

  it('is found where there is one, and only there', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = randomOf(seed);
      const none = differenceOf(pairsOf(0, random));
      expect(Math.abs(none.median), `${seed}`).to.be.below(none.noise);
      const some = differenceOf(pairsOf(0.1, random));
      expect(some.median, `${seed}`).to.be.above(some.noise);
    }
  });
});
