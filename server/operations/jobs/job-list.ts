import { DAY_MS, utcDay } from '../../clock.js';
import type { Context } from '../../context.js';
import {
  archiveSegment,
  dueSegment,
} from '../../search/ngram-index/archive-segment.js';
import type { Job, Rows } from './job.js';
import { pruneCheckpoints } from './prune-checkpoints.js';
import { sweep } from './sweep.js';

const MINUTE_MS = 60_000;

/** Jobs of other slices, handed in by whoever composes the board. */
export type ForeignJobs = {
  closeDuePolls: (ctx: Context) => Promise<Rows>;
  makeDailySelection: (ctx: Context) => Promise<Rows>;
  watchBoard: (ctx: Context) => Promise<Rows>;
};

/** Every job of a board and its times. */
export function jobList(ctx: Context, foreign: ForeignJobs): Job[] {
  return [
    {
      name: 'close_polls',
      line: '*/15 * * * * *',
      everyMs: 15_000,
      run: () => foreign.closeDuePolls(ctx),
    },
    {
      // Once made it stays; the repetition is for a node that was down.
      name: 'daily_selection',
      line: '5 */10 * * * *',
      everyMs: 10 * MINUTE_MS,
      run: () => foreign.makeDailySelection(ctx),
    },
    {
      name: 'sweep',
      line: '30 * * * * *',
      everyMs: MINUTE_MS,
      run: (signal) => sweep(ctx, signal),
    },
    {
      name: 'archive_search',
      line: '10,25,40,55 * * * * *',
      everyMs: 15_000,
      run: (signal) => archiveSearch(ctx, signal),
    },
    {
      name: 'watch',
      line: '20,50 * * * * *',
      everyMs: 30_000,
      run: () => foreign.watchBoard(ctx),
    },
    {
      name: 'rotate_keys',
      line: '1 0 * * * *',
      everyMs: 60 * MINUTE_MS,
      run: () => rotateKeys(ctx),
    },
    {
      name: 'prune_checkpoints',
      line: '40 7 * * * *',
      everyMs: 60 * MINUTE_MS,
      run: (signal) => pruneCheckpoints(ctx, signal),
    },
  ];
}

/**
 * One run of the key rotation (spec/board.md §1.9): tomorrow's day key is made
 * before anybody needs it, and keys that no window can need are erased: a
 * day's key stays through the next day, 48 hours in all.
 */
export async function rotateKeys(
  ctx: Pick<Context, 'writes' | 'clock' | 'networkKeys'>,
): Promise<Rows> {
  await ctx.networkKeys.counterKeys(Buffer.alloc(0));
  const [row] = await ctx.writes.query<{ rows: number }>(
    `WITH gone AS (DELETE FROM day_key WHERE day < $1 RETURNING 1)
     SELECT count(*) AS rows FROM gone`,
    [utcDay(ctx.clock.now() - DAY_MS)],
  );
  return { day_keys: row?.rows ?? 0 };
}

/** A run takes about so long at most; what is left is for the next one. */
const RUN_MS = 5000;

/**
 * One run of the archiver: moves the keys of older texts, a segment at a time,
 * and makes those again that went with a removed text. Searches find the same
 * at any moment. A database of an earlier release is taken over by the run.
 */
export async function archiveSearch(
  { writes, log }: Pick<Context, 'writes' | 'log'>,
  signal: AbortSignal,
): Promise<Rows> {
  const began = performance.now();
  const goesOn = () => !signal.aborted;
  let segments = 0;
  while (goesOn() && performance.now() - began < RUN_MS) {
    const segment = await dueSegment(writes);
    if (segment === null) break;
    if (!(await archiveSegment(writes, segment, goesOn))) break;
    log.info({ segment }, 'older texts moved to the archive of search');
    segments += 1;
  }
  return { segments };
}
