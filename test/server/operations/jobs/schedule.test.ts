import { timer } from '../../../../server/operations/jobs/schedule.js';

const MINUTE_MS = 60_000;

describe('The timer of a job', () => {
  it('runs at the times of its line', async () => {
    await new Promise<void>((resolve, reject) => {
      const each = timer('every second', '* * * * * *', async () => {
        await each.stop().then(resolve, reject);
      });
      each.start().catch(reject);
    });
  });

  describe('on a machine whose clock is set', () => {
    const Real = Date;
    let ahead = 0;

    beforeEach(() => {
      ahead = 0;
      globalThis.Date = class extends Real {
        constructor(...given: unknown[]) {
          if (given.length > 0) super(...(given as [number]));
          else super(Real.now() + ahead);
        }
        static override now(): number {
          return Real.now() + ahead;
        }
      } as DateConstructor;
    });

    afterEach(() => {
      globalThis.Date = Real;
    });

    const jumps = { forward: 30 * 1440 * MINUTE_MS, back: -60 * MINUTE_MS };
    for (const [name, jump] of Object.entries(jumps)) {
      it(`goes on at once after a jump ${name}`, async () => {
        let jumped = false;
        await new Promise<void>((resolve, reject) => {
          const each = timer('every second', '* * * * * *', async () => {
            if (jumped) await each.stop().then(resolve, reject);
            jumped = true;
            ahead = jump;
          });
          each.start().catch(reject);
        });
      });
    }
  });
});
