import fc from 'fast-check';
import { DAY_MS, SteadyClock } from '../../server/clock.js';
import { recordFaults } from '../faults/report.js';
import { FULL } from '../support/full.js';
import { chosenSeed } from '../support/random.js';

const RUNS = FULL ? 20_000 : 200;
const HOUR_MS = 3_600_000;
const BEGIN = Date.UTC(2026, 0, 15, 12);

class Machine {
  shown = BEGIN;
  awake = 5000;
  up = 90_000;

  wall = () => this.shown;
  monotonic = () => this.awake;
  uptime = () => this.up;

  pass(ms: number): void {
    this.shown += ms;
    this.awake += ms;
    this.up += ms;
  }

  /** The machine sleeps: only its monotonic clock stands still. */
  suspend(ms: number): void {
    this.shown += ms;
    this.up += ms;
  }

  step(ms: number): void {
    this.shown += ms;
  }
}

describe('the clock of a node', () => {
  let machine: Machine;
  let clock: SteadyClock;

  beforeEach(() => {
    machine = new Machine();
    clock = new SteadyClock(machine);
  });

  const since = () => [clock.now() - BEGIN, clock.ahead()];

  it('has not stepped because it is read slowly', () => {
    const slow = new SteadyClock({
      wall: () => machine.shown++,
      monotonic: machine.monotonic,
      uptime: machine.uptime,
    });
    expect(slow.ahead()).to.equal(0);
  });

  it('follows a clock that is back within 60 s', () => {
    machine.step(DAY_MS);
    expect(clock.ahead()).to.equal(DAY_MS);
    machine.step(60_000 - DAY_MS);
    expect(since()).to.deep.equal([60_000, 0]);
    machine.step(1);
    expect(since()).to.deep.equal([0, 60_001]);
  });

  it('counts the sleep of the machine as time', () => {
    machine.suspend(3 * DAY_MS);
    expect(since()).to.deep.equal([3 * DAY_MS, 0]);
    machine.suspend(DAY_MS);
    machine.step(61_000);
    expect(since()).to.deep.equal([4 * DAY_MS, 61_000]);
  });

  it('believes small corrections after an hour, and no two steps within one', () => {
    machine.step(50_000);
    machine.pass(1000);
    machine.step(50_000);
    expect(clock.ahead()).to.equal(100_000);
    machine.step(-50_000);
    machine.pass(HOUR_MS + 1);
    expect(clock.ahead()).to.equal(0);
    machine.step(50_000);
    expect(since()).to.deep.equal([HOUR_MS + 101_001, 0]);
  });

  it('follows a step back, and the way forward again', () => {
    machine.step(-DAY_MS);
    machine.pass(2 * HOUR_MS);
    expect(since()).to.deep.equal([2 * HOUR_MS - DAY_MS, 0]);
    machine.step(DAY_MS);
    expect(since()).to.deep.equal([2 * HOUR_MS, 0]);
  });

  it('believes what is accepted', () => {
    machine.step(DAY_MS);
    expect(clock.ahead()).to.equal(DAY_MS);
    clock.accept();
    expect(since()).to.deep.equal([DAY_MS, 0]);
  });

  it('reads this machine', () => {
    const own = new SteadyClock();
    expect(own.now()).to.be.closeTo(Date.now(), 1000);
    expect(own.ahead()).to.equal(0);
  });

  describe('after a restart', () => {
    const restarted = (between: () => void): SteadyClock => {
      const kept = { ...clock.base };
      between();
      return new SteadyClock(machine, kept);
    };

    it('believes what it shows after months, awake or asleep', () => {
      clock = restarted(() => {
        machine.pass(90 * DAY_MS);
        machine.suspend(90 * DAY_MS);
        machine.step(HOUR_MS);
      });
      expect(since()).to.deep.equal([180 * DAY_MS + HOUR_MS, 0]);
    });

    it('believes it where the uptime began again', () => {
      clock = restarted(() => {
        machine.pass(2 * DAY_MS);
        machine.up = 95_000;
      });
      expect(since()).to.deep.equal([2 * DAY_MS, 0]);
    });

    it('follows steps back', () => {
      clock = restarted(() => machine.step(-DAY_MS));
      expect(since()).to.deep.equal([-DAY_MS, 0]);
    });

    it('goes on from what was accepted', () => {
      machine.step(DAY_MS);
      clock.accept();
      clock = restarted(() => machine.pass(1000));
      expect(since()).to.deep.equal([DAY_MS + 1000, 0]);
    });
  });

  it('never shows a step that nobody accepted, whatever happens', async () => {
    const seed = chosenSeed();
    const moves = fc.array(
      fc.record({
        kind: fc.constantFrom('pass', 'suspend', 'step', 'back', 'restart'),
        ms: fc.integer({ min: 61_000, max: 400 * DAY_MS }),
      }),
      { maxLength: 40 },
    );
    const property = fc.property(moves, (list) => {
      machine = new Machine();
      clock = new SteadyClock(machine);
      let off = 0;
      for (const { kind, ms } of list) {
        if (kind === 'pass') machine.pass(ms);
        if (kind === 'suspend') machine.suspend(ms);
        // One at a time, and more than is believed of the time without a node.
        if (kind === 'step' && off === 0) {
          off = 400 * DAY_MS;
          machine.step(off);
        }
        if (kind === 'back') {
          machine.step(-off);
          off = 0;
        }
        if (kind === 'restart') clock = new SteadyClock(machine, clock.base);
        expect(machine.shown - clock.now()).to.equal(off);
        expect(clock.ahead()).to.equal(off);
      }
    });
    fc.assert(property, { numRuns: RUNS, seed, includeErrorInReport: true });
    await recordFaults({ test: 'C4 steps', seed, faults: RUNS });
  });
});
