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

/** @param watchBoard comes from the dashboard, which is above this feature */
export function jobList(ctx: Context, watchBoard: () => Promise<Rows>): Job[] {
  const job = (
    name: string,
    line: string,
    everyMs: number,
    run: Job['run'],
  ): Job => ({ name, line, everyMs, run });
  return [
    job('close_polls', '*/15 * * * * *', 15_000, () => closeDuePolls(ctx)),
    // Repeated only for nodes that were down.
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

/** Tomorrow's key is made early, others erased after 48 hours (§1.9). */
export async function rotateKeys(
  ctx: Pick<Context, 'writes' | 'clock' | 'networkKeys'>,
): Promise<Rows> {
  await ctx.networkKeys.counterKeys(Buffer.alloc(0));
  const { affected } = await ctx.writes.manager.delete(DayKey, {
    day: LessThan(utcDay(ctx.clock.now() - DAY_MS)),
  });
  return { day_keys: affected ?? 0 };
}

/** The rest is left to the next run. */
const RUN_MS = 5000;

/** By segments; searches find the same at any moment. */
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
