import type { Sql } from '../db/sql.js';
import { OWN, type Source } from './source.js';

/** Where a message stands in its thread; both counts hold tombstones. */
export type ThreadPlace = {
  root_id: number;
  /** How many messages of the thread come before it. */
  rank: number;
  /** Messages of the whole thread. */
  total: number;
};

/**
 * The place of a message, by index alone. It never changes: messages are only
 * added, at the end, and removed ones keep theirs.
 */
export async function threadPlace(
  sql: Sql,
  id: number,
  source: Source = OWN,
): Promise<ThreadPlace | null> {
  const tables = source.tables(2).trimEnd().replace(/,$/, '');
  const [row] = await sql.query<ThreadPlace>(
    `${tables === '' ? '' : `WITH ${tables}`}
     SELECT m.root_id, (SELECT count(*) FROM message x
         WHERE x.root_id = m.root_id AND x.id < m.id) AS rank,
       (SELECT count(*) FROM message x WHERE x.root_id = m.root_id) AS total
     FROM message m WHERE m.id = $1`,
    [id, ...source.values],
  );
  return row ?? null;
}

/** The ID of the message at a rank of a thread; null beyond its end. */
export async function messageAtRank(
  sql: Sql,
  rootId: number,
  rank: number,
  source: Source = OWN,
): Promise<number | null> {
  const tables = source.tables(3).trimEnd().replace(/,$/, '');
  const [row] = await sql.query<{ id: number }>(
    `${tables === '' ? '' : `WITH ${tables}`}
     SELECT id FROM message WHERE root_id = $1 ORDER BY id OFFSET $2 LIMIT 1`,
    [rootId, rank, ...source.values],
  );
  return row?.id ?? null;
}
