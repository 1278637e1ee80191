import { type Clock, DAY_MS, systemClock } from '../../server/clock.js';
import { until } from './until.js';

type Alarm = { at: number; wake: () => void };

/** Moved by tests; waits end then, or after as much of real time. */
export class TestClock implements Clock {
  private readonly alarms = new Set<Alarm>();
  /** Told of each move, for a clock of another process that follows. */
  moved: (ms: number) => void = () => {};

  constructor(private ms = Date.UTC(2026, 0, 15, 12, 0, 0)) {}

  now(): number {
    return this.ms;
  }

  advance(ms: number): void {
    this.set(this.ms + ms);
  }

  set(ms: number): void {
    this.ms = ms;
    this.moved(ms);
    for (const alarm of this.alarms) if (alarm.at <= ms) alarm.wake();
  }

  after(ms: number, wake: () => void): () => void {
    const cancel = () => {
      callOff();
      this.alarms.delete(alarm);
    };
    const ring = () => {
      cancel();
      wake();
    };
    const alarm: Alarm = { at: this.ms + ms, wake: ring };
    const callOff = systemClock.after(ms, ring);
    this.alarms.add(alarm);
    return cancel;
  }
}

/** Waits while the UTC day is about to end, for tests of real processes. */
export async function awayFromMidnight(): Promise<void> {
  const left = () => DAY_MS - (Date.now() % DAY_MS);
  await until('the next UTC day', () => left() > 60_000);
}
