import type { Context } from '../../context.js';
import { JobRun } from '../../db/entities/operations.js';
import { BoardError } from '../../errors.js';
import { recordRun } from '../record-run.js';
import { withAdvisoryLock } from './job-lock.sql.js';
import { type Timer, timer } from './schedule.js';

/** By kind of row: `{tickets: 12}`. */
export type Rows = Readonly<Record<string, number>>;

export type Job = {
  name: string;
  /** Cron line with seconds, UTC. */
  line: string;
  /** The line's period, in ms. */
  everyMs: number;
  /** Stoppable between steps; continues where another run ended. */
  run(signal: AbortSignal): Promise<Rows>;
};

export type Run = Pick<
  JobRun,
  'name' | 'startedAt' | 'durationMs' | 'error'
> & {
  rows: Rows;
};

type Outcome = 'ran' | 'failed' | 'skipped';

type Parts = Pick<Context, 'writes' | 'clock' | 'log' | 'stopping'> & {
  instance: string;
  onRun?: (run: Run) => void;
};

/** One after the other: at most two connections (spec/board.md §14.7). */
export class Jobs {
  private queue: Promise<unknown> = Promise.resolve();
  private timers: Timer[] = [];

  constructor(
    private readonly parts: Parts,
    private readonly jobs: readonly Job[],
  ) {}

  async start(): Promise<void> {
    this.timers = this.jobs.map(({ name, line }) =>
      timer(name, line, () => this.runOnce(name)),
    );
    for (const each of this.timers) await each.start();
  }

  async stop(): Promise<void> {
    for (const each of this.timers) await each.stop();
    this.timers = [];
    await this.queue;
  }

  /** Skipped if it ran within half its period elsewhere. Never throws. */
  runOnce(name: string): Promise<Outcome> {
    const job = this.jobs.find((each) => each.name === name);
    if (job === undefined) throw new Error(`no job is called ${name}`);
    const outcome = this.queue.then(() => this.runLocked(job));
    this.queue = outcome;
    return outcome;
  }

  private async runLocked(job: Job): Promise<Outcome> {
    const { writes, log, stopping } = this.parts;
    if (stopping.aborted) return 'skipped';
    try {
      const run = () => this.run(job);
      return (await withAdvisoryLock(writes, job.name, run)) ?? 'skipped';
    } catch (error) {
      log.error({ err: error, job: job.name }, 'a job could not be started');
      return 'failed';
    }
  }

  private async run(job: Job): Promise<Outcome> {
    const { writes, clock, instance, log, onRun } = this.parts;
    const startedAt = clock.now();
    const last = await writes.manager.findOneBy(JobRun, { name: job.name });
    const age = startedAt - (last?.startedAt ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < job.everyMs / 2) return 'skipped';
    const began = performance.now();
    let rows: Rows = {};
    let error: string | null = null;
    try {
      rows = await job.run(this.parts.stopping);
    } catch (thrown) {
      // The guard logs the reason itself.
      if (thrown instanceof BoardError && thrown.code === 'log_guard') {
        log.info({ job: job.name }, 'a job waits until the log takes entries');
      } else log.error({ err: thrown, job: job.name }, 'a job failed');
      error = nameOf(thrown);
    }
    const durationMs = Math.round(performance.now() - began);
    const run: Run = { name: job.name, startedAt, durationMs, rows, error };
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    const failures = error === null ? 0 : (last?.failures ?? 0) + 1;
    const wasFine = last?.failures === 0;
    await recordRun(
      writes,
      { ...run, rows: total, detail: rows, failures, instance },
      total > 0 || failures > 0 || !wasFine,
    );
    log.debug({ ...run, instance }, 'a job ran');
    onRun?.(run);
    return error === null ? 'ran' : 'failed';
  }
}

/** No messages: they may quote members' texts. */
function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'not an Error';
  const code = 'code' in thrown ? ` ${String(thrown.code)}` : '';
  return `${thrown.name}${code}`.slice(0, 200);
}
