import { LIMIT_DEFAULTS, type LimitName } from '../../server/limits.js';
import { type Send, SPENDINGS } from '../server/spending.js';
import { startBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { FULL } from '../support/full.js';
import { atOnce, type Reply, tally } from '../support/wire.js';
import { ROOM } from './nth-writes.js';
import { recordFaults } from './report.js';

const DIFFERENT = FULL ? 100 : 24;
const ROOM_MAX = FULL ? Number.POSITIVE_INFINITY : DIFFERENT / 2;
const MIDNIGHT = Date.UTC(2026, 0, 16);

/** B5: half is spent before midnight, then each is sent twice, and again. */
describe(`${2 * DIFFERENT} requests at once against one limit`, () => {
  async function send(sends: readonly Send[], n: number): Promise<Reply> {
    const one = sends[n % sends.length];
    if (one === undefined) throw new Error('nothing to send');
    return await one();
  }

  /** How many had room; the others were refused for want of just that. */
  function within(replies: readonly Reply[], limit: LimitName): number {
    const refused = replies.filter(({ status }) => status === 429);
    const scopes = new Set(refused.map(({ body }) => body.scope));
    scopes.delete(limit);
    expect([...scopes]).to.deep.equal([]);
    return replies.length - refused.length;
  }

  function done(replies: readonly Reply[], limit: LimitName) {
    within(replies, limit);
    const { 429: _, ...others } = tally(replies);
    return others;
  }

  for (const { limit, attempts, windowMs, maker } of SPENDINGS) {
    it(`${limit}: no more than it says, at midnight too`, async () => {
      const room = Math.min(LIMIT_DEFAULTS[limit], ROOM_MAX);
      const limits = { ...ROOM, [limit]: room };
      const test = await startBoard({ limits });
      const half = Math.floor(room / 2);
      // Tickets last for ten minutes.
      test.clock.set(MIDNIGHT - 120_000);
      const sends = await atOnce(DIFFERENT, await maker(test));
      const burst = () => atOnce(2 * DIFFERENT, (n) => send(sends, n >> 1));
      test.clock.set(MIDNIGHT - 500);
      const evening = await atOnce(half, (n) => send(sends, n));
      expect(within(evening, limit)).to.equal(half);

      test.clock.set(MIDNIGHT + 500);
      const left = windowMs === 'day' ? room : room - half;
      const after = await burst();
      const again = await burst();
      if (attempts) {
        expect(within(after, limit)).to.equal(left);
        expect(within(again, limit)).to.equal(0);
      } else {
        const old = 2 * half + left;
        expect(done(after, limit)).to.deep.equal({ 200: old, 201: left });
        expect(done(again, limit)).to.deep.equal({ 200: old + left });
      }
      const faults = half + after.length + again.length;
      const acked = attempts ? 0 : half + left;
      await recordFaults({ test: `B5 ${limit}`, faults, acked });
      await checkLedger(test);
      await test.stop();
    });
  }
});
