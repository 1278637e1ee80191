import os from 'node:os';

/** Integer ms. SQL gets it as a parameter, never by the database's clock. */
export interface Clock {
  now(): number;
  /** Returns a function that cancels it. */
  after(ms: number, wake: () => void): () => void;
}

/** Node fires longer timers at once. */
const LONGEST_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: Date.now,
  after: (ms, wake) => {
    const timer = setTimeout(wake, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

/** In ms. */
export type MachineTimes = {
  wall(): number;
  /** May stop while the machine sleeps. */
  monotonic(): number;
  /** Counts sleep; costs more. */
  uptime(): number;
};

/** Steps are measured from it. */
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

/** Further ahead than this is a step. */
const STEP_MS = 60_000;
/** Smaller corrections are accepted after so long. */
const BELIEVED_AFTER_MS = 3_600_000;
/** The machine's two counters may differ so much. */
const INEXACT_MS = 1000;

/**
 * Does not follow steps forward (spec/board.md §16.3): a wall clock more than
 * 60 s ahead of the uptime is ignored until it is back or `accept`; meanwhile
 * time goes on by the uptime. Steps back are followed; the log's own time never
 * goes back (§1.3).
 */
export class SteadyClock implements Clock {
  private measuredFrom: ClockBase;

  /** @param kept base of an earlier process of this boot */
  constructor(
    private readonly machine: MachineTimes = THIS_MACHINE,
    kept: ClockBase | null = null,
  ) {
    const now = this.read();
    this.measuredFrom = kept !== null && hasStepped(kept, now) ? kept : now;
  }

  get base(): ClockBase {
    return this.measuredFrom;
  }

  now(): number {
    return this.judged().now;
  }

  /** In ms; 0 while the wall clock is followed. */
  ahead(): number {
    const { wall, now } = this.judged();
    return Math.max(0, wall - now);
  }

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

/** Between two processes; as while running, 60 s per hour are accepted. */
function hasStepped(kept: ClockBase, now: ClockBase): boolean {
  const passed = now.uptime - kept.uptime;
  const awake = now.monotonic - kept.monotonic;
  // Uptime counts sleep, too. Less is of another container.
  if (awake < 0 || passed < awake - INEXACT_MS) return false;
  const ahead = now.wall - kept.wall - passed;
  return ahead > STEP_MS * (1 + passed / BELIEVED_AFTER_MS);
}

export const DAY_MS = 86_400_000;

/** Inclusive, in ms. */
export function utcDayStart(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

export function utcHour(ms: number): number {
  return Math.floor((ms - utcDayStart(ms)) / 3_600_000);
}

let lastDay = { start: Number.NaN, name: '' };

/** `YYYY-MM-DD`; the last result is cached. */
export function utcDay(ms: number): string {
  const start = utcDayStart(ms);
  if (lastDay.start !== start) {
    lastDay = { start, name: new Date(ms).toISOString().slice(0, 10) };
  }
  return lastDay.name;
}

/** ISO 8601 UTC in whole seconds (spec/board.md §1.3). */
export function publicTime(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** ISO 8601 UTC with milliseconds (spec/board.md §1.3). */
export function meshTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Writes are closed while the machine's clock is ahead by a step. */
export type ClockStep = {
  /** 0 while they are open. */
  readonly aheadSeconds: number;
  /** @throws BoardError `unavailable` */
  assertOpen(): void;
};
