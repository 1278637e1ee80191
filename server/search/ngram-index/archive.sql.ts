// By hand: batches by unnest, and one index scan for each slice that is read.
import { SearchArchive, SearchSlice } from '../../db/entities/search.js';
import type { Sql, Tx } from '../../db/sql.js';
import type { Slice } from './segment-keys.js';
import { SEGMENT, segmentOf } from './slice.js';

/** These slices of these segments, as far as they exist. */
export async function readSlices(
  sql: Sql,
  segments: readonly number[],
  slices: readonly number[],
): Promise<SearchSlice[]> {
  // LATERAL and LIMIT: the planner must not think of reading all.
  return await sql.query<SearchSlice>(
    `SELECT g.segment, k.slice, s.data
     FROM unnest($1::integer[]) AS g (segment)
     CROSS JOIN unnest($2::integer[]) AS k (slice)
     CROSS JOIN LATERAL (SELECT d.data FROM search_slice d
       WHERE d.segment = g.segment AND d.slice = k.slice LIMIT 1) s`,
    [segments, slices],
  );
}

export async function insertSlices(
  tx: Tx,
  segment: number,
  slices: readonly Slice[],
): Promise<void> {
  await tx.query(
    `INSERT INTO search_slice (segment, slice, data)
     SELECT $1, s.slice, s.data
     FROM unnest($2::integer[], $3::bytea[]) AS s (slice, data)`,
    [segment, slices.map(({ slice }) => slice), slices.map(({ data }) => data)],
  );
}

/**
 * `segments` are archived, from the first; later texts are rows of
 * `message_search`. The keys of `missing` ones were deleted and are made again.
 */
export type ArchiveState = Pick<
  SearchArchive,
  'segments' | 'missing' | 'changes'
>;

export async function archiveState({ manager }: Sql): Promise<ArchiveState> {
  return await manager.findOneByOrFail(SearchArchive, { id: 1 });
}

/** Keeps the archive as it is until the transaction ends. */
export async function lockArchive({ manager }: Tx): Promise<ArchiveState> {
  return await manager.findOneOrFail(SearchArchive, {
    where: { id: 1 },
    lock: { mode: 'pessimistic_write' },
  });
}

/**
 * Before the text of a message goes or comes back: locks the archive, deletes
 * the keys of its segment, which are made again later, and makes an archiver
 * that has read it already start again. Returns whether the message is in an
 * archived segment; only others have rows in `message_search`.
 */
export async function forgetKeys(tx: Tx, id: number): Promise<boolean> {
  const { segments, missing, changes } = await lockArchive(tx);
  const segment = segmentOf(id);
  const isArchived = segment < segments;
  const change: Partial<ArchiveState> = { changes: changes + 1 };
  if (isArchived && !missing.includes(segment)) {
    await tx.manager.delete(SearchSlice, { segment });
    change.missing = [...missing, segment];
  }
  await tx.manager.update(SearchArchive, { id: 1 }, change);
  return isArchived;
}

export function archiveEnd({ segments }: ArchiveState): number {
  return segments * SEGMENT;
}
