import type { Sql } from '../../db/sql.js';
import { unavailable } from '../../errors.js';
import { type ArchiveState, archiveEnd, readSlices } from './archive.sql.js';
import {
  allBlocks,
  BLOCK,
  BLOCKS,
  type Blocks,
  blocksIn,
  narrow,
  numbersOf,
  SUFFIX_BITS,
  SUFFIX_MASK,
  segmentOf,
} from './slice.js';

/** Keys read for all segments; later ones only for what is left. */
const FIRST = 2;

async function narrowAll(
  sql: Sql,
  left: Map<number, Blocks>,
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0 || left.size === 0) return;
  const slices = new Set(keys.map((key) => key >>> SUFFIX_BITS));
  const rows = await readSlices(sql, [...left.keys()], [...slices]);
  const bySegment = new Map<number, Map<number, Buffer>>();
  for (const { segment, slice, data } of rows) {
    const own = bySegment.get(segment) ?? new Map<number, Buffer>();
    bySegment.set(segment, own.set(slice, data));
  }
  for (const [segment, blocks] of left) {
    const own = bySegment.get(segment);
    for (const key of keys) {
      const data = own?.get(key >>> SUFFIX_BITS);
      const holding = data ? blocksIn(data, key & SUFFIX_MASK) : null;
      if (holding !== null && narrow(blocks, holding)) continue;
      left.delete(segment);
      break;
    }
  }
}

/** Highest first per segment. Without keys all blocks. */
async function candidateBlocks(
  sql: Sql,
  { missing }: ArchiveState,
  segments: readonly number[],
  keys: readonly number[],
): Promise<number[]> {
  const unknown = new Set(missing);
  const known = segments.filter((segment) => !unknown.has(segment));
  const left = new Map(known.map((segment) => [segment, allBlocks()]));
  await narrowAll(sql, left, keys.slice(0, FIRST));
  await narrowAll(sql, left, keys.slice(FIRST));
  return segments.flatMap((segment) => {
    const blocks = unknown.has(segment) ? allBlocks() : left.get(segment);
    const numbers = blocks === undefined ? [] : numbersOf(blocks);
    return numbers.map((block) => segment * BLOCKS + block);
  });
}

/** Segments whose keys are read at once: more with each step. */
const SEGMENT_STEPS = { first: 4, times: 8, most: 256 };
/** Blocks whose texts are read at once. */
const BLOCK_STEPS = { first: 8, times: 2, most: 64 };
const RETRY_SECONDS = 5;

type Steps = { first: number; times: number; most: number };

function* growing<T>(list: readonly T[], { first, times, most }: Steps) {
  let size = first;
  for (let from = 0; from < list.length; ) {
    yield list.slice(from, from + size);
    from += size;
    size = Math.min(size * times, most);
  }
}

type Wanted<T> = {
  keys: readonly number[];
  /** Exclusive upper ID. */
  below: number;
  order: 'newest' | 'oldest';
  limit: number;
  /** The matches among these ids, in the wanted order. */
  check: (ids: readonly number[]) => Promise<T[]>;
  /** Time limit, by performance.now(). */
  until: number;
};

/**
 * In order, up to `limit`.
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
  for (const some of growing(segments, SEGMENT_STEPS)) {
    const blocks = await candidateBlocks(sql, state, some, keys);
    if (!isNewest) blocks.sort((a, b) => a - b);
    for (const part of growing(blocks, BLOCK_STEPS)) {
      if (performance.now() > until) {
        throw unavailable(
          'This search takes too long now; look for something rarer.',
          RETRY_SECONDS,
        );
      }
      const ids = part.flatMap((block) =>
        Array.from({ length: BLOCK }, (_, n) => block * BLOCK + n),
      );
      found.push(...(await check(ids.filter((id) => id < end))));
      if (found.length >= limit) return found.slice(0, limit);
    }
  }
  return found;
}
