import { archiveSegment, dueSegment } from '../../search/ngram-index/archive-segment.js';
import type { Context } from '../../context.js';
import type { Rows } from './job.js';

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
