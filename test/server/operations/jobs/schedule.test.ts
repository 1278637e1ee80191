import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { timer } from '../../../../server/operations/jobs/schedule.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

describe('The timer of a job', () => {
  let runs = 0;
  const each = timer('every second', '* * * * * *', async () => {
    runs += 1;
  });

  beforeEach(async () => {
    runs = 0;
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
    await each.start();
  });

  afterEach(async () => {
    await each.stop();
    mock.timers.reset();
  });

  const pass = async (ms: number) => {
    mock.timers.tick(ms);
    await nextTurn();
  };

  it('runs at the times of its line', async () => {
    for (let n = 1; n <= 3; n += 1) {
      await pass(SECOND_MS);
      expect(runs).to.equal(n);
    }
  });

  const jumps = { forward: 30 * 1440 * MINUTE_MS, back: -60 * MINUTE_MS };
  for (const [name, jump] of Object.entries(jumps)) {
    it(`goes on at once on a machine whose clock jumps ${name}`, async () => {
      await pass(SECOND_MS);
      const { now } = Date;
      const Mocked = Date;
      try {
        globalThis.Date = class extends Mocked {
          constructor(...given: unknown[]) {
            if (given.length > 0) super(...(given as [number]));
            else super(now() + jump);
          }
          static override now(): number {
            return now() + jump;
          }
        } as DateConstructor;
        for (let n = 0; n < 4; n += 1) await pass(SECOND_MS / 2);
        expect(runs).to.be.within(2, 3);
      } finally {
        globalThis.Date = Mocked;
      }
    });
  }
});
