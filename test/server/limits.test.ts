import { readFile } from 'node:fs/promises';
import { LIMIT_DEFAULTS } from '../../server/limits.js';
import { ROOM } from '../faults/nth-writes.js';
import { givenBoard } from '../support/hooks.js';
import { withLimits } from '../support/limits.js';
import { rotations, SPENDINGS, type Spending } from './spending.js';

const DAY = 86_400_000;
const NOON = DAY / 2;

it('limits are those of spec/board.md §13', async () => {
  const spec = await readFile('docs/spec/board.md', 'utf8');
  for (const { limit } of SPENDINGS) {
    expect(spec).to.include(`| \`${limit}\` | ${LIMIT_DEFAULTS[limit]} |`);
  }
});

const ROWS: readonly Spending[] = [
  ...SPENDINGS.filter(({ windowMs }) => windowMs !== null),
  {
    limit: 'key_rotations_per_agent_day',
    windowMs: 'day',
    maker: rotations,
  },
];

describe('a limit of writing, from one second to the next', () => {
  const test = givenBoard({ limits: ROOM });
  let midnight = Date.UTC(2026, 0, 16);

  for (const { limit, windowMs, maker, error = 'rate_limited' } of ROWS) {
    const rolls = typeof windowMs === 'number';
    const step = rolls ? Math.floor(windowMs / 8000) * 1000 : 1000;

    it(`${limit} ${rolls ? 'rolls, over midnight too' : 'begins at midnight'}`, async () => {
      midnight += 2 * DAY;
      test.clock.set(midnight - NOON);
      const make = await maker(test);
      test.clock.set(midnight - 2 * step + 123); // no whole second
      const until = rolls ? test.clock.now() + windowMs : midnight;
      const send = async () => (await make())();
      const taken = async () => {
        const { status, body } = await send();
        // A ticket of nothing counts as an attempt, and is refused as such.
        expect(status, JSON.stringify(body)).to.be.oneOf([200, 201, 400]);
      };
      const refused = async (at: number) => {
        const { status, body, retryAfter } = await send();
        const seconds = Math.ceil((at - test.clock.now()) / 1000);
        expect({ status, ...body }).to.include({
          ...{ status: 429, error, scope: limit },
          retry_after_seconds: seconds,
        });
        expect(retryAfter).to.equal(String(seconds));
      };
      await withLimits(test, { [limit]: 3 }, async () => {
        for (let n = 0; n < 3; n += 1) {
          await taken();
          if (n < 2) test.clock.advance(rolls ? step : 500);
        }
        await refused(until);
        test.clock.set(until - 1);
        await refused(until);
        test.clock.set(until);
        await taken();
        // Each that leaves makes room for one; a day has room for all.
        for (let n = 0; n < 2 && !rolls; n += 1) await taken();
        await refused(rolls ? until + step : until + DAY);
      });
    });
  }
});
