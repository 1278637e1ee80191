import { LessThan } from 'typeorm';
import { DAY_MS, utcDay } from '../../clock.js';
import type { Context } from '../../context.js';
import { DayKey } from '../../db/entities/budget.js';
import { closeDuePolls } from '../../polls/index.js';
import { archiveSegment, dueSegment } from '../../search/index.js';
import { makeDailySelection } from '../../selections/index.js';
import type { Job, Rows } from './jobs.js';
import { pruneCheckpoints } from './prune-checkpoints.js';
import { sweep } from './sweep.js';

const MINUTE_MS = 60_000;

/**
 * Every job of a board and its times.
 *
 * @param watchBoard the look of the dashboard, which is above this feature.
 */
export function jobList(ctx: Context, watchBoard: () => Promise<Rows>): Job[] {
  const job = (
    name: string,
    line: string,
    everyMs: number,
    run: Job['run'],
  ): Job => ({ name, line, everyMs, run });
  return [
    job('close_polls', '*/15 * * * * *', 15_000, () => closeDuePolls(ctx)),
    // Once made it stays; the repetition is for a node that was down.
    job('daily_selection', '5 */10 * * * *', 10 * MINUTE_MS, () =>
      makeDailySelection(ctx),
    ),
    job('sweep', '30 * * * * *', MINUTE_MS, (signal) => sweep(ctx, signal)),
    job('archive_search', '10,25,40,55 * * * * *', 15_000, (signal) =>
      archiveSearch(ctx, signal),
    ),
    job('watch', '20,50 * * * * *', 30_000, watchBoard),
    job('rotate_keys', '1 0 * * * *', 60 * MINUTE_MS, () => rotateKeys(ctx)),
    job('prune_checkpoints', '40 7 * * * *', 60 * MINUTE_MS, (signal) =>
      pruneCheckpoints(ctx, signal),
    ),
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
  const { affected } = await ctx.writes.manager.delete(DayKey, {
    day: LessThan(utcDay(ctx.clock.now() - DAY_MS)),
  });
  return { day_keys: affected ?? 0 };
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
