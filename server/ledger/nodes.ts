import type { Coord } from '../../protocol/tree.js';
import type { Sql } from '../db/sql.js';

/** The board's own log; mirrored ones have origin ids from 1 on. */
export const OWN_LOG = 0;

/** Hashes of full subtrees by `level/index`. */
export type Hashes = Map<string, Uint8Array>;

type Row = { level: number; idx: number; hash: Buffer };

const SIZE = -1;

const key = ({ level, index }: Coord): string => `${level}/${index}`;

/**
 * The size of a log and the hashes of these full subtrees, in one statement:
 * level 0 are its entries' leaf hashes, the others its nodes. What the log
 * does not hold is absent.
 */
export async function readTree(
  sql: Sql,
  originId: number,
  coords: readonly Coord[],
): Promise<{ size: number; hashes: Hashes }> {
  const leaves = coords.filter(({ level }) => level === 0);
  const nodes = coords.filter(({ level }) => level > 0);
  const rows = await sql.query<Row>(
    `SELECT ${SIZE} AS level, size AS idx, ''::bytea AS hash
       FROM log_state WHERE origin_id = $1
     UNION ALL
     SELECT 0, idx, leaf_hash FROM log_entry
       WHERE origin_id = $1 AND idx = ANY($2::bigint[])
     UNION ALL
     SELECT n.level, n.idx, n.hash
       FROM unnest($3::smallint[], $4::bigint[]) AS c(level, idx)
       JOIN log_node n ON n.origin_id = $1
         AND n.level = c.level AND n.idx = c.idx`,
    [
      originId,
      leaves.map(({ index }) => index),
      nodes.map(({ level }) => level),
      nodes.map(({ index }) => index),
    ],
  );
  const hashes: Hashes = new Map();
  let size = 0;
  for (const { level, idx, hash } of rows) {
    if (level === SIZE) size = idx;
    else hashes.set(key({ level, index: idx }), hash);
  }
  return { size, hashes };
}

/** The hashes alone; use with the plans of `protocol/plan.ts`. */
export async function readHashes(
  sql: Sql,
  originId: number,
  coords: readonly Coord[],
): Promise<Hashes> {
  return (await readTree(sql, originId, coords)).hashes;
}

/**
 * What `hashesOfPlan` asks for. A subtree that should be there and is not is
 * a damaged store: a RangeError, never a wrong proof.
 */
export function lookupIn(hashes: Hashes): (coord: Coord) => Uint8Array {
  return (coord) => {
    const hash = hashes.get(key(coord));
    if (hash !== undefined) return hash;
    throw new RangeError(`the log lacks the node ${key(coord)}`);
  };
}
