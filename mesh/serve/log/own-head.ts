import type { Sql } from '../../../server/db/sql.js';

/**
 * A note holds at most 32 signature lines (spec/mesh.md §B1), the log's is one.
 */
const COSIGNERS_MAX = 31;

export type OwnHead = {
  identity: string;
  size: number;
  /** Log signature, then the peers' cosignatures of this very size. */
  checkpoint: string;
  /** When it was signed, in ms. */
  at: number;
};

/** The newest head of a log of our own, with every cosignature it has. */
export async function ownHead(
  sql: Sql,
  originId: number,
): Promise<OwnHead | null> {
  const [row] = await sql.query<OwnHead & { lines: string[] }>(
    `SELECT s.identity, s.size, s.checkpoint, s.last_at AS at,
       ARRAY(SELECT c.line FROM log_cosignature c
         WHERE c.origin_id = $1 AND c.size = s.size
         ORDER BY c.cosigner LIMIT ${COSIGNERS_MAX}) AS lines
     FROM log_state s WHERE s.origin_id = $1`,
    [originId],
  );
  if (row === undefined) return null;
  const { identity, size, at } = row;
  return {
    identity,
    size,
    at,
    checkpoint: row.checkpoint + row.lines.join(''),
  };
}
