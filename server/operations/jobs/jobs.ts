import type { Context } from '../../context.js';
import { type Database, run } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import type { Job, Rows } from './job.js';
import { type JobRun, keepRun, lastStart } from './job-runs.js';
import { type Timer, timer } from './schedule.js';

export type Outcome = 'ran' | 'failed' | 'skipped';

type Parts = Pick<Context, 'writes' | 'clock' | 'log' | 'stopping'> & {
  instance: string;
  /** Told of every run, for metrics. */
  onRun?: (run: JobRun) => void;
};

/**
 * The jobs of one process. They run one after the other, so that they never
 * hold more than two connections; of several processes on one database one
 * runs a job at a time (spec/board.md §14.7).
 */
export class Jobs {
  private lane: Promise<unknown> = Promise.resolve();
  private timers: Timer[] = [];

  constructor(
    private readonly parts: Parts,
    private readonly jobs: readonly Job[],
  ) {}

  /** Begins to run them at their times. */
  async start(): Promise<void> {
    this.timers = this.jobs.map(({ name, line }) =>
      timer(name, line, () => this.runOnce(name)),
    );
    for (const each of this.timers) await each.start();
  }

  /** Ends the times and waits for the run under way; the signal cuts it. */
  async stop(): Promise<void> {
    for (const each of this.timers) await each.stop();
    this.timers = [];
    await this.lane;
  }

  /**
   * One run, unless another process has the job or began it less than half
   * its period ago. It never throws: what goes wrong is logged and kept, and
   * the next time tries again.
   */
  runOnce(name: string): Promise<Outcome> {
    const job = this.jobs.find((each) => each.name === name);
    if (job === undefined) throw new Error(`no job is called ${name}`);
    const outcome = this.lane.then(() => this.lead(job));
    this.lane = outcome;
    return outcome;
  }

  private async lead(job: Job): Promise<Outcome> {
    const { writes, log, stopping } = this.parts;
    if (stopping.aborted) return 'skipped';
    try {
      const led = await asLeader(writes, job.name, () => this.run(job));
      return led ?? 'skipped';
    } catch (error) {
      log.error({ err: error, job: job.name }, 'a job could not be led');
      return 'failed';
    }
  }

  private async run(job: Job): Promise<Outcome> {
    const { writes, clock, instance, log, onRun } = this.parts;
    const startedAt = clock.now();
    const last = await lastStart(writes, job.name);
    const age = startedAt - (last ?? 0);
    if (last !== null && age >= 0 && age < job.everyMs / 2) return 'skipped';
    const began = performance.now();
    let rows: Rows = {};
    let error: string | null = null;
    try {
      rows = await job.run(this.parts.stopping);
    } catch (thrown) {
      if (isClosedLog(thrown)) {
        log.info({ job: job.name }, 'a job waits until the log takes entries');
      } else log.error({ err: thrown, job: job.name }, 'a job failed');
      error = nameOf(thrown);
    }
    const durationMs = Math.round(performance.now() - began);
    const run = {
      name: job.name,
      startedAt,
      durationMs,
      rows,
      error,
      instance,
    };
    await keepRun(writes, run);
    log.debug({ ...run }, 'a job ran');
    onRun?.(run);
    return error === null ? 'ran' : 'failed';
  }
}

/** The guard has told its operator why, and goes on telling. */
function isClosedLog(thrown: unknown): boolean {
  return thrown instanceof BoardError && thrown.code === 'log_guard';
}

/** Name and code: messages of others may quote what members wrote. */
function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'not an Error';
  const code = 'code' in thrown ? ` ${String(thrown.code)}` : '';
  return `${thrown.name}${code}`.slice(0, 200);
}

/** The first half of the advisory locks of jobs: of this use alone. */
const JOBS = 730_521;

/**
 * Runs `work` while this process alone holds the job's lock; null when another
 * one holds it. The lock ends with the connection that took it, so a process
 * that dies leaves nothing behind.
 */
async function asLeader<T>(
  db: Database,
  job: string,
  work: () => Promise<T>,
): Promise<T | null> {
  return await db.withClient(async (client) => {
    const [row] = await run<{ got: boolean }>(
      client,
      'SELECT pg_try_advisory_lock($1, hashtext($2)) AS got',
      [JOBS, job],
    );
    if (row?.got !== true) return null;
    try {
      return await work();
    } finally {
      await run(client, 'SELECT pg_advisory_unlock($1, hashtext($2))', [
        JOBS,
        job,
      ]);
    }
  });
}
