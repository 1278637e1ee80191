import fc from 'fast-check';
import { BoardError } from '../../../server/errors.js';
import { DearTurns } from '../../../server/http/rate-limits/dear-turns.js';
import { ReadLimiter } from '../../../server/http/rate-limits/read-limiter.js';
import { LIMIT_DEFAULTS } from '../../../server/limits.js';
import { TestClock } from '../../support/clock.js';

const ONE = Uint8Array.of(4, 203, 0, 113, 1);
const OTHER = Uint8Array.of(4, 203, 0, 113, 2);

function limiter(limits: Partial<typeof LIMIT_DEFAULTS>) {
  const clock = new TestClock();
  const made = new ReadLimiter({ ...LIMIT_DEFAULTS, ...limits }, clock);
  return { clock, made };
}

function refusal(action: () => unknown): BoardError {
  try {
    action();
  } catch (error) {
    if (error instanceof BoardError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('the read limiter', () => {
  it('admits exactly the limit in a burst and names the scope', () => {
    const { made } = limiter({ reads_per_network_minute: 5 });
    const take = () => made.take('reads_per_network_minute', ONE);
    for (let n = 0; n < 5; n += 1) take();
    const refused = refusal(take);
    expect(refused.status).to.equal(429);
    expect(refused.extras.scope).to.equal('reads_per_network_minute');
    made.take('reads_per_network_minute', OTHER);
  });

  it('has room again at the named second, whenever the burst was', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20_000 }), {
          minLength: 1,
          maxLength: 30,
        }),
        (pauses) => {
          const { clock, made } = limiter({ reads_per_network_minute: 3 });
          const take = () => made.take('reads_per_network_minute', ONE);
          for (const pause of pauses) {
            clock.advance(pause);
            try {
              take();
            } catch (error) {
              const { extras } = error as BoardError;
              clock.advance((extras.retry_after_seconds ?? 0) * 1000);
              take();
            }
          }
        },
      ),
    );
  });

  it('never admits twice the limit within any minute', () => {
    const { clock, made } = limiter({ reads_per_network_minute: 10 });
    const admitted: number[] = [];
    for (let n = 0; n < 3000; n += 1) {
      clock.advance(137);
      try {
        made.take('reads_per_network_minute', ONE);
        admitted.push(clock.now());
      } catch (error) {
        expect(error).to.be.instanceOf(BoardError);
      }
    }
    for (const at of admitted) {
      const within = admitted.filter((t) => t >= at && t < at + 59_000);
      expect(within.length).to.be.at.most(10);
    }
  });

  it('counts what an answer weighed against the next one', () => {
    const { made } = limiter({ mesh_get_bytes_per_network_minute: 1000 });
    const limit = 'mesh_get_bytes_per_network_minute';
    made.assertRoom(limit, ONE);
    made.add(limit, ONE, 5000);
    expect(refusal(() => made.assertRoom(limit, ONE)).status).to.equal(429);
    made.assertRoom(limit, OTHER);
  });

  it('gives every place for waiting back', () => {
    const { made } = limiter({ waits_per_network: 2, waits_per_board: 3 });
    made.enterWait(ONE);
    made.enterWait(ONE);
    expect(refusal(() => made.enterWait(ONE)).extras.scope).to.equal(
      'waits_per_network',
    );
    made.enterWait(OTHER);
    made.leaveWait(ONE);
    made.enterWait(ONE);
    expect(refusal(() => made.enterWait(OTHER)).extras.scope).to.equal(
      'waits_per_board',
    );
  });

  it('starts a new window after a long silence', () => {
    const { clock, made } = limiter({ exports_per_network_hour: 1 });
    made.take('exports_per_network_hour', ONE);
    clock.advance(3 * 3_600_000);
    made.take('exports_per_network_hour', ONE);
  });
});

describe('the turns of a network whose reads are dear', () => {
  let turns: DearTurns;
  let begun: number[];
  const enter = (n: number, name = 'a') =>
    turns.enter(name, () => begun.push(n));

  beforeEach(() => {
    turns = new DearTurns();
    begun = [];
  });

  it('are of eight before an answer was dear', () => {
    for (let n = 0; n < 10; n += 1) enter(n);
    expect(begun).to.have.length(8);
  });

  it('let two begin, and the others in their order', () => {
    turns.note('a');
    const leaves = [1, 2, 3, 4, 5].map((n) => enter(n));
    expect(begun).to.eql([1, 2]);
    leaves[1]?.();
    leaves[1]?.(); // twice is once
    expect(begun).to.eql([1, 2, 3]);
    leaves[3]?.(); // goes away before its turn
    leaves[0]?.();
    expect(begun).to.eql([1, 2, 3, 5]);
  });

  it('are those of each network alone', () => {
    turns.note('a');
    for (const n of [1, 2, 3]) enter(n);
    for (const n of [4, 5, 6]) enter(n, 'b');
    expect(begun).to.eql([1, 2, 4, 5, 6]);
  });

  it('are four of all networks, each in its turn', () => {
    for (const name of ['a', 'b', 'c']) turns.note(name);
    const leaves = [1, 2, 3, 4].map((n) => enter(n, 'a'));
    for (const n of [5, 6, 7]) enter(n, 'b');
    for (const n of [8, 9]) enter(n, 'c');
    enter(10, 'd'); // nothing dear
    expect(begun).to.eql([1, 2, 5, 6, 10]);
    leaves[0]?.();
    leaves[1]?.();
    expect(begun.slice(5)).to.eql([3, 8]);
    leaves[2]?.();
    expect(begun.slice(7)).to.eql([4]);
  });

  it('end when the last is over and nothing was dear for a second', () => {
    const { now } = performance;
    try {
      performance.now = () => 1000;
      turns.note('a');
      const [leave] = [enter(1), enter(2), enter(3)];
      performance.now = () => 2500;
      enter(4);
      expect(begun).to.eql([1, 2]);
      leave?.();
      expect(begun).to.eql([1, 2, 3]);
      turns = new DearTurns();
      turns.note('a');
      performance.now = () => 4000;
      for (const n of [5, 6, 7]) enter(n);
      expect(begun).to.eql([1, 2, 3, 5, 6, 7]);
    } finally {
      performance.now = now;
    }
  });
});
