import os from 'node:os';

/**
 * The one clock of the process, in integer milliseconds since the epoch.
 * SQL never asks the database for the time: it gets this as a parameter.
 */
export interface Clock {
  now(): number;
  /** Calls `wake` in `ms`, unless the function that it returns is called. */
  after(ms: number, wake: () => void): () => void;
}

/** Node fires a timer of more than this at once. */
const LONGEST_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: Date.now,
  after: (ms, wake) => {
    const timer = setTimeout(wake, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

/** What a machine says about time, in ms. */
export type MachineTimes = {
  wall(): number;
  /** Only grows while it runs; may stand still while it sleeps. */
  monotonic(): number;
  /** Since the machine started, sleep included. Dearer to ask. */
  uptime(): number;
};

/** A moment by all three; what steps are measured from. */
export type ClockBase = Readonly<{
  wall: number;
  monotonic: number;
  uptime: number;
}>;

/** `performance` counts from the start of the process. */
const BEFORE_PROCESS_MS =
  Number(process.hrtime.bigint()) / 1e6 - performance.now();

const THIS_MACHINE: MachineTimes = {
  wall: Date.now,
  monotonic: () => BEFORE_PROCESS_MS + performance.now(),
  uptime: () => os.uptime() * 1000,
};

/** A clock that moves further ahead than this, by itself, has stepped. */
const STEP_MS = 60_000;
/** Smaller corrections are believed after so long. */
const BELIEVED_AFTER_MS = 3_600_000;
/** The two counters of a machine agree so far. */
const INEXACT_MS = 1000;

/**
 * The clock of a node, which does not follow steps forward (spec/board.md
 * §16.3). A wall clock that moves ahead by more than 60 s beyond what the
 * machine's uptime advanced is not believed: this clock goes on by the uptime,
 * so nothing is stamped with a time of that step. It follows the wall clock
 * again once that is back within 60 s, or after `accept`. Steps back are followed;
 * the log's own time never goes back (§1.3).
 */
export class SteadyClock implements Clock {
  private measuredFrom: ClockBase;

  /** @param kept the base of an earlier process since the machine started. */
  constructor(
    private readonly machine: MachineTimes = THIS_MACHINE,
    kept: ClockBase | null = null,
  ) {
    const now = this.read();
    this.measuredFrom = kept !== null && hasStepped(kept, now) ? kept : now;
  }

  /** What steps are measured from, for the next process. */
  get base(): ClockBase {
    return this.measuredFrom;
  }

  now(): number {
    return this.judged().now;
  }

  /** How far the wall clock has stepped ahead, in ms; 0 while it is believed. */
  ahead(): number {
    const { wall, now } = this.judged();
    return Math.max(0, wall - now);
  }

  /** One reading of the wall clock, and what is believed of it. */
  private judged(): { wall: number; now: number } {
    const wall = this.machine.wall();
    const { base } = this;
    const passed = this.machine.monotonic() - base.monotonic;
    const ahead = wall - base.wall - passed;
    if (ahead <= STEP_MS) {
      if (ahead > 0 && passed > BELIEVED_AFTER_MS) this.accept();
      return { wall, now: wall };
    }
    // It stepped, or the machine slept.
    const steady = base.wall + this.machine.uptime() - base.uptime;
    if (wall - steady > STEP_MS) return { wall, now: Math.floor(steady) };
    this.accept();
    return { wall, now: wall };
  }

  /** Believes the wall clock as it is. */
  accept(): void {
    this.measuredFrom = this.read();
  }

  after(ms: number, wake: () => void): () => void {
    return systemClock.after(ms, wake);
  }

  private read(): ClockBase {
    const { machine } = this;
    return {
      wall: machine.wall(),
      monotonic: machine.monotonic(),
      uptime: machine.uptime(),
    };
  }
}

/**
 * Whether the wall clock stepped ahead between two processes. Between them as
 * many small corrections are believed as while one runs: 60 s for each hour.
 */
function hasStepped(kept: ClockBase, now: ClockBase): boolean {
  const passed = now.uptime - kept.uptime;
  const awake = now.monotonic - kept.monotonic;
  // Uptime counts sleep too. One that counts less is of another container.
  if (awake < 0 || passed < awake - INEXACT_MS) return false;
  const ahead = now.wall - kept.wall - passed;
  return ahead > STEP_MS * (1 + passed / BELIEVED_AFTER_MS);
}

export const DAY_MS = 86_400_000;

/** Inclusive start of the UTC day that holds `ms`. */
export function utcDayStart(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

export function utcHour(ms: number): number {
  return Math.floor((ms - utcDayStart(ms)) / 3_600_000);
}

let lastDay = { start: Number.NaN, name: '' };

/** `YYYY-MM-DD` of the UTC day that holds `ms`; the last one is kept. */
export function utcDay(ms: number): string {
  const start = utcDayStart(ms);
  if (lastDay.start !== start) {
    lastDay = { start, name: new Date(ms).toISOString().slice(0, 10) };
  }
  return lastDay.name;
}

/**
 * Public form of a time: ISO 8601 UTC in whole seconds (spec/board.md §1.3).
 */
export function publicTime(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/**
 * Times of mesh documents: ISO 8601 UTC with milliseconds (spec/board.md §1.3).
 */
export function meshTime(ms: number): string {
  return new Date(ms).toISOString();
}
