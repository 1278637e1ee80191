import type { ProofCosigner } from '../../../protocol/proof-json.js';
import type { Sql } from '../../db/sql.js';

/** A head of an own log with the cosignatures of active peers. */
export type CosignedCheckpoint = {
  size: number;
  /** Log signature first, then one line for each of `cosigners`. */
  checkpoint: string;
  cosigners: ProofCosigner[];
};

/** Enough for every board that its peers cosign without falling behind. */
const NEWEST = 5000;
const EVERYTHING = Number.MAX_SAFE_INTEGER;
/** A note holds 32 lines, the log's among them (spec/mesh.md §B1). */
const LINES_MAX = 31;

// Of those whose line over a head above $2 there is: how many, and which
// head has most of them.
const BEST = `WITH active AS (
    SELECT mirror_vkey, name || '/mirror' AS cosigner FROM peer
    WHERE status = 'active'
  ), reachable AS (
    SELECT count(*) AS cosigners FROM active a WHERE EXISTS (
      SELECT 1 FROM log_cosignature c WHERE c.origin_id = $1
        AND c.cosigner = a.cosigner AND c.vkey = a.mirror_vkey AND c.size > $2)
  ), newest AS (
    SELECT size, vkey FROM log_cosignature
    WHERE origin_id = $1 AND size > $2 ORDER BY size DESC LIMIT $3
  )
  SELECT r.cosigners, b.size, b.lines FROM reachable r
  LEFT JOIN LATERAL (
    SELECT n.size, count(*) AS lines
    FROM newest n JOIN active a ON a.mirror_vkey = n.vkey
      JOIN log_checkpoint k ON k.origin_id = $1 AND k.size = n.size
    GROUP BY n.size ORDER BY count(*) DESC, n.size DESC LIMIT 1
  ) b ON r.cosigners > 0`;

const LINES = `SELECT k.note, c.line, c.cosigner AS name, c.vkey,
    p.name AS board
  FROM log_checkpoint k
  JOIN log_cosignature c ON c.origin_id = $1 AND c.size = k.size
  JOIN peer p ON p.mirror_vkey = c.vkey AND p.status = 'active'
  WHERE k.origin_id = $1 AND k.size = $2
  ORDER BY c.cosigner LIMIT ${LINES_MAX}`;

type Best = { cosigners: number; size: number | null; lines: number | null };
type Line = { note: string; line: string } & ProofCosigner;

/**
 * Among the stored heads that cover index `covered`, the one with most
 * distinct active cosigners, the newest of those (spec/mesh.md §B5); null where
 * no active peer cosigned any of them.
 */
export async function cosignedCheckpoint(
  sql: Sql,
  originId: number,
  covered: number,
): Promise<CosignedCheckpoint | null> {
  const ask = (rows: number) =>
    sql.query<Best>(BEST, [originId, covered, rows]);
  let [best] = await ask(NEWEST);
  // All who signed anything signed it: no older head can have more.
  if (best !== undefined && (best.lines ?? 0) < best.cosigners) {
    [best] = await ask(EVERYTHING);
  }
  if (best === undefined || best.size === null) return null;
  const lines = await sql.query<Line>(LINES, [originId, best.size]);
  const [first] = lines;
  if (first === undefined) return null;
  return {
    size: best.size,
    checkpoint: first.note + lines.map(({ line }) => line).join(''),
    cosigners: lines.map(({ name, vkey, board }) => ({ name, vkey, board })),
  };
}
