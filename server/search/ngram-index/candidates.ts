import type { Sql } from '../../db/sql.js';
import { BLOCKS, SUFFIX_BITS } from './layout.js';
import {
  allBlocks,
  type Blocks,
  blocksIn,
  narrow,
  numbersOf,
  SUFFIX_MASK,
} from './slice.js';
import type { ArchiveState } from './state.js';

type Row = { segment: number; slice: number; data: Buffer };

/** An index scan for each: the planner must not think of reading all. */
const SLICES = `SELECT g.segment, k.slice, s.data
  FROM unnest($1::integer[]) AS g (segment)
  CROSS JOIN unnest($2::integer[]) AS k (slice)
  CROSS JOIN LATERAL (SELECT d.data FROM search_slice d
    WHERE d.segment = g.segment AND d.slice = k.slice LIMIT 1) s`;

/** Keys that are asked for of all segments, and only then the others. */
const FIRST = 2;

async function narrowAll(
  sql: Sql,
  left: Map<number, Blocks>,
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0 || left.size === 0) return;
  const slices = new Set(keys.map((key) => key >>> SUFFIX_BITS));
  const rows = await sql.query<Row>(SLICES, [[...left.keys()], [...slices]]);
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

/**
 * The blocks of these segments, each by its number on the board, that may hold
 * a text with all of the keys: in the order of the segments, from the highest
 * block of each. All blocks of a segment without keys.
 */
export async function candidateBlocks(
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
