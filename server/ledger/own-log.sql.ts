// By hand: subtrees of two tables in one statement, and SQL fragments.

import { IsNull, Not } from 'typeorm';
import type { Coord } from '../../protocol/tree.js';
import { LogState } from '../db/entities/log.js';
import { arraysOf, type Sql } from '../db/sql.js';

/** Mirrored logs have origin ids from 1 on. */
export const OWN_LOG = 0;

/** By `level/index`. */
export type Hashes = Map<string, Uint8Array>;

type Row = { level: number; idx: number; hash: Buffer };

const SIZE = -1;

const key = ({ level, index }: Coord): string => `${level}/${index}`;

/** In one statement: level 0 is leaf hashes, others are nodes. */
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
      ...arraysOf(nodes, 'level', 'index'),
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

/** For the plans of `protocol/plan.ts`. */
export async function readHashes(
  sql: Sql,
  originId: number,
  coords: readonly Coord[],
): Promise<Hashes> {
  return (await readTree(sql, originId, coords)).hashes;
}

/**
 * For `hashesOfPlan`. @throws RangeError for a missing subtree: never a wrong
 * proof
 */
export function lookupIn(hashes: Hashes): (coord: Coord) => Uint8Array {
  return (coord) => {
    const hash = hashes.get(key(coord));
    if (hash !== undefined) return hash;
    throw new RangeError(`the log lacks the node ${key(coord)}`);
  };
}

/**
 * SQL for the origin id of the log (current or closed generation) that gave a
 * message its ID (spec/mesh.md §B1). `id` is an expression, such as `m.id`.
 */
export function ownLogOf(id: string): string {
  return `(SELECT g.origin_id FROM log_state g
    WHERE (g.origin_id = 0 OR g.closed_at IS NOT NULL)
      AND g.last_message_id >= ${id}
    ORDER BY g.last_message_id, g.generation LIMIT 1)`;
}

/**
 * SQL condition: the row records a log. An empty first generation does not: a
 * start that may not begin a log leaves it (spec/board.md §16.22).
 */
export const RECORDED = `origin_id = 0
  AND (size > 0 OR checkpoint <> '' OR generation > 1)`;

/** Closed generations whose rows are still here, oldest first. */
export async function closedLogs(sql: Sql): Promise<LogState[]> {
  return await sql.manager.find(LogState, {
    where: { closedAt: Not(IsNull()) },
    order: { generation: 'ASC' },
  });
}
