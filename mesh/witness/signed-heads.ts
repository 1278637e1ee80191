import type { Sql } from '../../server/db/sql.js';

/** A head of a mirrored log that its origin signed, kept here. */
export type SignedHead = { size: number; note: string };

const COLUMNS = 'SELECT size, note FROM log_checkpoint WHERE origin_id = $1';

export async function signedHeadAt(
  sql: Sql,
  originId: number,
  size: number,
): Promise<SignedHead | null> {
  const [row] = await sql.query<SignedHead>(`${COLUMNS} AND size = $2`, [
    originId,
    size,
  ]);
  return row ?? null;
}

/** The smallest signed head above a size that this mirror has reached. */
export async function signedHeadAbove(
  sql: Sql,
  originId: number,
  size: number,
): Promise<SignedHead | null> {
  const [row] = await sql.query<SignedHead>(
    `${COLUMNS} AND size > $2
       AND size <= (SELECT s.size FROM log_state s WHERE s.origin_id = $1)
     ORDER BY size LIMIT 1`,
    [originId, size],
  );
  return row ?? null;
}

/**
 * The largest signed head that this mirror has reached below a size, whose own
 * size is no power of two: a consistency proof from a power of two does not
 * carry the old root (spec/mesh.md §B13).
 */
export async function provableHeadBelow(
  sql: Sql,
  originId: number,
  size: number,
): Promise<SignedHead | null> {
  const [row] = await sql.query<SignedHead>(
    `${COLUMNS} AND size < $2 AND size > 2 AND (size & (size - 1)) <> 0
       AND size <= (SELECT s.size FROM log_state s WHERE s.origin_id = $1)
     ORDER BY size DESC LIMIT 1`,
    [originId, size],
  );
  return row ?? null;
}
