import type { Sql, Tx } from '../../db/sql.js';
import { SEGMENT, segmentOf } from './layout.js';

export type ArchiveState = {
  /** Archived from the first; later texts are rows of `message_search`. */
  segments: number;
  /** Of these, those whose keys were deleted and are to be made again. */
  missing: number[];
  changes: number;
};

export async function archiveState(sql: Sql): Promise<ArchiveState> {
  const [row] = await sql.query<ArchiveState>(
    'SELECT segments, missing, changes FROM search_archive',
  );
  if (row === undefined) throw new Error('search_archive has no row');
  return row;
}

/** Holds the archive as it is until the transaction ends. */
export async function lockArchive(tx: Tx): Promise<ArchiveState> {
  const [row] = await tx.query<ArchiveState>(
    'SELECT segments, missing, changes FROM search_archive FOR UPDATE',
  );
  if (row === undefined) throw new Error('search_archive has no row');
  return row;
}

/**
 * Before the text of a message goes or comes back: holds the archive, deletes
 * the keys of its segment, which are made again later, and makes vain what an
 * archiver has read already. Answers whether the message is in a segment that
 * is archived; only others have rows in `message_search`.
 */
export async function forgetKeys(tx: Tx, id: number): Promise<boolean> {
  const { segments } = await lockArchive(tx);
  const segment = segmentOf(id);
  const isArchived = segment < segments;
  await tx.query(
    `WITH slices AS (DELETE FROM search_slice WHERE segment = $1)
     UPDATE search_archive SET changes = changes + 1,
       missing = CASE WHEN $2 AND $1 <> ALL (missing)
         THEN missing || $1::integer ELSE missing END`,
    [segment, isArchived],
  );
  return isArchived;
}

/** The first id that is not in an archived segment. */
export function archiveEnd({ segments }: ArchiveState): number {
  return segments * SEGMENT;
}
