import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { JobRun } from '../../../../server/db/entities/operations.js';
import { BoardError } from '../../../../server/errors.js';
import type { Logger } from '../../../../server/logger.js';
import { jobList } from '../../../../server/operations/jobs/job-list.js';
import { type Job, Jobs } from '../../../../server/operations/jobs/jobs.js';
import { timer } from '../../../../server/operations/jobs/schedule.js';
import { startBoard } from '../../../support/board.js';
import { givenBoard } from '../../../support/hooks.js';
import { rows } from '../../../support/rows.js';

const MINUTE_MS = 60_000;

describe('Jobs', () => {
  const test = givenBoard({ env: { ROLES: 'api' } });
  let ran = 0;
  beforeEach(async () => {
    ran = 0;
    await rows(test).deleteAll(JobRun);
  });

  const counting = (more: Partial<Job> = {}): Job => ({
    name: 'counting',
    line: '* * * * * *',
    everyMs: MINUTE_MS,
    run: async () => {
      ran += 1;
      return { rows: 3, others: 4 };
    },
    ...more,
  });

  function processOf(
    job: Job,
    instance: string,
    more: Partial<ConstructorParameters<typeof Jobs>[0]> = {},
  ): Jobs {
    return new Jobs({ ...test.board.context, instance, ...more }, [job]);
  }

  const lastRun = () => rows(test).findOneByOrFail(JobRun, {});

  it('run once when two processes run them at once', async () => {
    for (let round = 1; round <= 10; round += 1) {
      const both = await Promise.all([
        processOf(counting(), 'a').runOnce('counting'),
        processOf(counting(), 'b').runOnce('counting'),
      ]);
      expect(both.sort()).to.deep.equal(['ran', 'skipped']);
      expect(ran).to.equal(round);
      test.clock.advance(MINUTE_MS);
    }
  });

  it('are left to the process that is at it', async () => {
    let finish: () => void = () => {};
    const long = counting({
      run: () =>
        new Promise((resolve) => {
          ran += 1;
          finish = () => resolve({ rows: 1 });
        }),
    });
    const first = processOf(long, 'a').runOnce('counting');
    const others = processOf(counting(), 'b');
    while (ran === 0) await new Promise(setImmediate);
    test.clock.advance(10 * MINUTE_MS);
    expect(await others.runOnce('counting')).to.equal('skipped');
    finish();
    expect(await first).to.equal('ran');
    test.clock.advance(10 * MINUTE_MS);
    expect(await others.runOnce('counting')).to.equal('ran');
  });

  it('do not run again within half their period, but at the next time', async () => {
    const one = processOf(counting(), 'a');
    const other = processOf(counting(), 'b');
    expect(await one.runOnce('counting')).to.equal('ran');
    test.clock.advance(MINUTE_MS / 2 - 1);
    expect(await other.runOnce('counting')).to.equal('skipped');
    test.clock.advance(1);
    expect(await other.runOnce('counting')).to.equal('ran');
    test.clock.advance(-10 * MINUTE_MS);
    expect(await one.runOnce('counting'), 'after a jump back').to.equal('ran');
  });

  it('keep name, time, duration and rows of their last run', async () => {
    await processOf(counting(), 'a').runOnce('counting');
    const row = await lastRun();
    expect(row).to.deep.include({
      name: 'counting',
      startedAt: test.clock.now(),
      rows: 7,
      detail: { rows: 3, others: 4 },
      error: null,
      failures: 0,
      instance: 'a',
    });
    expect(row.durationMs).to.be.at.least(0);
  });

  it('send an event for a run that finds something, fails or works again', async () => {
    const outcomes = [0, 0, 5, 0, null, null, 0, 0] as const;
    let n = 0;
    const jobs = processOf(
      counting({
        name: 'finding',
        run: async () => {
          const found = outcomes[n++] ?? null;
          if (found === null) throw new Error('out of order');
          return { rows: found };
        },
      }),
      'a',
    );
    for (const _ of outcomes) {
      await jobs.runOnce('finding');
      test.clock.advance(MINUTE_MS);
    }
    const { reads } = test.board.context;
    const events = await reads.query<{ payload: object }>(
      `SELECT payload FROM (
         SELECT kind, payload::jsonb FROM admin_pending
         UNION ALL SELECT kind, payload FROM admin_event) x
       WHERE kind = 'job' AND payload ->> 'name' = 'finding'`,
    );
    const told = events.map(({ payload }) => {
      const { rows, error } = payload as { rows: number; error: unknown };
      return error === null ? rows : 'failed';
    });
    // The first run of all and the one that ends the failures find nothing.
    expect(told.sort()).to.deep.equal([0, 0, 5, 'failed', 'failed']);
  });

  it('that meet a closed log wait, which is no error', async () => {
    const logged: string[] = [];
    const log = {
      ...test.board.context.log,
      error: (_: object, message: string) => logged.push(message),
      info: (_: object, message: string) => logged.push(message),
      debug: () => {},
    } as unknown as Logger;
    const run = () => {
      throw new BoardError('log_guard', 'It takes no entries.');
    };
    const jobs = processOf(counting({ run }), 'a', { log });
    expect(await jobs.runOnce('counting')).to.equal('failed');
    expect(logged).to.deep.equal(['a job waits until the log takes entries']);
    expect((await lastRun()).error).to.include('log_guard');
  });

  it('that throw are logged, and tried again at their next time', async () => {
    const logged: string[] = [];
    const log = {
      ...test.board.context.log,
      error: (_: object, message: string) => logged.push(message),
      debug: () => {},
    } as unknown as Logger;
    let broken = true;
    const job = counting({
      run: async () => {
        ran += 1;
        if (broken) throw new TypeError('what a member wrote');
        return {};
      },
    });
    const jobs = processOf(job, 'a', { log });
    expect(await jobs.runOnce('counting')).to.equal('failed');
    test.clock.advance(MINUTE_MS);
    expect(await jobs.runOnce('counting')).to.equal('failed');
    expect(logged).to.deep.equal(['a job failed', 'a job failed']);
    expect(await lastRun()).to.include({ error: 'TypeError', failures: 2 });
    broken = false;
    test.clock.advance(MINUTE_MS);
    expect(await jobs.runOnce('counting')).to.equal('ran');
    expect(await lastRun()).to.include({ error: null, failures: 0 });
  });

  it('give their lock back when they throw', async () => {
    const job = counting({
      run: async () => {
        throw new Error('no');
      },
    });
    await processOf(job, 'a').runOnce('counting');
    const locks = await test.board.context.reads.query(
      `SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
         AND database = (SELECT oid FROM pg_database
           WHERE datname = current_database())`,
    );
    expect(locks).to.deep.equal([]);
  });

  it('outlive a database that refuses to lead them', async () => {
    const jobs = processOf(counting(), 'a', {
      writes: {
        ...test.board.context.writes,
        withClient: () => Promise.reject(new Error('away')),
      },
    });
    expect(await jobs.runOnce('counting')).to.equal('failed');
    expect(ran).to.equal(0);
  });

  it('are waited for by stop, which tells them', async () => {
    const stopper = new AbortController();
    let ended = false;
    const job = counting({
      run: async (signal) => {
        ran += 1;
        await new Promise((resolve) =>
          signal.addEventListener('abort', resolve, { once: true }),
        );
        ended = true;
        return {};
      },
    });
    const jobs = processOf(job, 'a', { stopping: stopper.signal });
    const running = jobs.runOnce('counting');
    while (ran === 0) await new Promise(setImmediate);
    stopper.abort();
    await jobs.stop();
    expect(ended).to.equal(true);
    expect(await running).to.equal('ran');
    expect(await jobs.runOnce('counting')).to.equal('skipped');
  });

  it('run one after the other in a process', async () => {
    let at = 0;
    let most = 0;
    const slow = (name: string): Job =>
      counting({
        name,
        run: async () => {
          at += 1;
          most = Math.max(most, at);
          await test.board.context.reads.query(
            'SELECT count(*) FROM generate_series(1, 100000)',
          );
          at -= 1;
          return {};
        },
      });
    const { context } = test.board;
    const all = ['one', 'two', 'three'];
    const jobs = new Jobs({ ...context, instance: 'a' }, all.map(slow));
    const outcomes = await Promise.all(all.map((name) => jobs.runOnce(name)));
    expect(outcomes).to.deep.equal(['ran', 'ran', 'ran']);
    expect(most).to.equal(1);
  });

  it('of a board have the names that operators know', () => {
    const jobs = jobList(test.board.context, () => Promise.resolve({}));
    expect(jobs.map(({ name }) => name)).to.deep.equal([
      'close_polls',
      'daily_selection',
      'sweep',
      'archive_search',
      'watch',
      'rotate_keys',
      'prune_checkpoints',
    ]);
    expect(jobs[0]?.everyMs, 'the closer').to.equal(15_000);
  });
});

describe('The role jobs', () => {
  async function runsAnything(roles: string): Promise<boolean> {
    const test = await startBoard({ env: { ROLES: roles } });
    const { jobs } = test.board.background;
    const timers = (jobs as unknown as { timers: unknown[] }).timers.length;
    await test.stop();
    return timers > 0;
  }

  it('starts their times, and no other role does', async () => {
    expect(await runsAnything('jobs')).to.equal(true);
    expect(await runsAnything('api,mesh,jobs')).to.equal(true);
    expect(await runsAnything('api')).to.equal(false);
    expect(await runsAnything('api,mesh')).to.equal(false);
  });
});

const SECOND_MS = 1000;

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
