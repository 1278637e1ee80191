// By hand: full subtrees of two tables by their coordinates, in one statement,
// and fragments for the statements of other rooms.

import { IsNull, Not } from 'typeorm';
import type { Coord } from '../../protocol/tree.js';
import { LogState } from '../db/entities/log.js';
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

/**
 * SQL for the origin id of the own log that gave a message its ID: the current
 * one, or a closed generation, whose IDs end with its last message
 * (spec/mesh.md §B1). `id` is an expression, such as `m.id`.
 */
export function ownLogOf(id: string): string {
  return `(SELECT g.origin_id FROM log_state g
    WHERE (g.origin_id = 0 OR g.closed_at IS NOT NULL)
      AND g.last_message_id >= ${id}
    ORDER BY g.last_message_id, g.generation LIMIT 1)`;
}

/**
 * SQL for the row of the own log where it records one. The row of a first
 * generation without an entry or signature records nothing: a start that may
 * begin no log leaves it, so that the board can be read, and the next start
 * replaces it (spec/board.md §16.22).
 */
export const RECORDED = `origin_id = 0
  AND (size > 0 OR checkpoint <> '' OR generation > 1)`;

/** Closed generations of the own log whose rows are still here, oldest first. */
export async function closedLogs(sql: Sql): Promise<LogState[]> {
  return await sql.manager.find(LogState, {
    where: { closedAt: Not(IsNull()) },
    order: { generation: 'ASC' },
  });
}
