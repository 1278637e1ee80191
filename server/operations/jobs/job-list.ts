import type { Context } from '../../context.js';
import { archiveSearch } from './index-search.js';
import type { Job, Rows } from './job.js';
import { pruneCheckpoints } from './prune-checkpoints.js';
import { rotateKeys } from './rotate-keys.js';
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
