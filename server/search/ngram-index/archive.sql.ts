// By hand (R4): batches by unnest, and one index scan per slice.
import { In } from 'typeorm';
import { SearchArchive, SearchSlice } from '../../db/entities/search.js';
import type { Sql, Tx } from '../../db/sql.js';
import type { Slice } from './segment-keys.js';
import { SEGMENT, segmentOf } from './slice.js';

export async function readSlices(
  sql: Sql,
  segments: readonly number[],
  slices: readonly number[],
): Promise<SearchSlice[]> {
  // LATERAL and LIMIT keep the planner from reading all.
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
 * The first `segments` are archived; later texts are in `message_search`. Keys
 * of `missing` ones were deleted and will be made again.
 */
export type ArchiveState = Pick<
  SearchArchive,
  'segments' | 'missing' | 'changes'
>;

export async function archiveState({ manager }: Sql): Promise<ArchiveState> {
  return await manager.findOneByOrFail(SearchArchive, { id: 1 });
}

/** Until the transaction ends. */
export async function lockArchive({ manager }: Tx): Promise<ArchiveState> {
  return await manager.findOneOrFail(SearchArchive, {
    where: { id: 1 },
    lock: { mode: 'pessimistic_write' },
  });
}

/**
 * Call it before a text is removed or restored: deletes its segment's keys and
 * restarts a running archiver. Returns whether the messages are archived; others
 * are in `message_search`.
 */
export async function forgetKeys(
  tx: Tx,
  ids: readonly number[],
): Promise<boolean> {
  const { segments, missing, changes } = await lockArchive(tx);
  const archived = ids.map(segmentOf).filter((segment) => segment < segments);
  const gone = new Set(archived.filter((one) => !missing.includes(one)));
  const change: Partial<ArchiveState> = { changes: changes + 1 };
  if (gone.size > 0) {
    await tx.manager.delete(SearchSlice, { segment: In([...gone]) });
    change.missing = [...missing, ...gone];
  }
  await tx.manager.update(SearchArchive, { id: 1 }, change);
  return archived.length === ids.length;
}

export function archiveEnd({ segments }: ArchiveState): number {
  return segments * SEGMENT;
}
