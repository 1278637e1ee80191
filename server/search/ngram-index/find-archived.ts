import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { candidateBlocks } from './candidates.js';
import { BLOCK, segmentOf } from './layout.js';
import { type ArchiveState, archiveEnd } from './state.js';

/** Segments whose keys are read at once: few at first, then ever more. */
const SEGMENTS = { first: 4, times: 8, most: 256 };
/** Blocks whose texts are read at once. */
const BLOCKS = { first: 8, times: 2, most: 64 };
const RETRY_SECONDS = 5;

type Steps = { first: number; times: number; most: number };

/** Parts of a list that grow from one to the next. */
function* growing<T>(list: readonly T[], { first, times, most }: Steps) {
  let size = first;
  for (let from = 0; from < list.length; ) {
    yield list.slice(from, from + size);
    from += size;
    size = Math.min(size * times, most);
  }
}

export type Wanted<T> = {
  keys: readonly number[];
  /** Exclusive upper id. */
  below: number;
  order: 'newest' | 'oldest';
  /** As many are enough. */
  limit: number;
  /** Those of the texts with these ids that match, in the order wanted. */
  check: (ids: readonly number[]) => Promise<T[]>;
  /** When the search gives up, by performance.now(). */
  until: number;
};

/**
 * Archived texts that match, in order, not more than are enough.
 *
 * @throws BoardError `unavailable` when it takes too long.
 */
export async function findArchived<T>(
  sql: Sql,
  state: ArchiveState,
  { keys, below, order, limit, check, until }: Wanted<T>,
): Promise<T[]> {
  const found: T[] = [];
  const end = Math.min(below, archiveEnd(state));
  if (end <= 0) return found;
  const count = segmentOf(end - 1) + 1;
  const isNewest = order === 'newest';
  const segments = Array.from({ length: count }, (_, n) =>
    isNewest ? count - 1 - n : n,
  );
  for (const some of growing(segments, SEGMENTS)) {
    const blocks = await candidateBlocks(sql, state, some, keys);
    if (!isNewest) blocks.sort((a, b) => a - b);
    for (const part of growing(blocks, BLOCKS)) {
      if (performance.now() > until) throw tooLong();
      const ids = part.flatMap((block) =>
        Array.from({ length: BLOCK }, (_, n) => block * BLOCK + n),
      );
      found.push(...(await check(ids.filter((id) => id < end))));
      if (found.length >= limit) return found.slice(0, limit);
    }
  }
  return found;
}

function tooLong(): BoardError {
  return new BoardError(
    'unavailable',
    'This search takes too long now; look for something rarer.',
    { retry_after_seconds: RETRY_SECONDS },
  );
}
