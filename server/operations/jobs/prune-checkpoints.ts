import type { Context } from '../../context.js';
import type { Sql } from '../../db/sql.js';
import type { Rows } from './job.js';

const KEPT = 10_000;
const PAGE = 1000;
const HOUR_MS = 3_600_000;

type Checkpoint = { size: number; at: number };

/**
 * One run of the pruning of checkpoints, log by log: the newest ten thousand
 * stay, of each earlier hour its last, and every cosigned one (spec/mesh.md
 * §B11).
 */
export async function pruneCheckpoints(
  { writes: sql }: Pick<Context, 'writes'>,
  signal: AbortSignal,
  kept: number = KEPT,
): Promise<Rows> {
  const logs = await sql.query<{ origin_id: number }>(
    'SELECT origin_id FROM log_state ORDER BY origin_id',
  );
  let checkpoints = 0;
  for (const { origin_id: log } of logs) {
    checkpoints += await pruneLog(sql, log, signal, kept);
  }
  return { checkpoints };
}

async function pruneLog(
  sql: Sql,
  log: number,
  signal: AbortSignal,
  kept: number,
): Promise<number> {
  const [oldest] = await sql.query<Checkpoint>(
    `SELECT size, at FROM log_checkpoint WHERE origin_id = $1
     ORDER BY size DESC OFFSET $2 LIMIT 1`,
    [log, kept - 1],
  );
  let deleted = 0;
  let after = -1;
  while (oldest !== undefined && !signal.aborted) {
    const page = await pageAfter(sql, log, after, oldest.size);
    deleted += await deleteOf(sql, log, page);
    // The last one is looked at again, beside its successor.
    const next = page.at(-2);
    if (page.length < PAGE || next === undefined) break;
    after = next.size;
  }
  return deleted;
}

async function pageAfter(
  sql: Sql,
  log: number,
  after: number,
  until: number,
): Promise<Checkpoint[]> {
  return await sql.query<Checkpoint>(
    `SELECT size, at FROM log_checkpoint
     WHERE origin_id = $1 AND size > $2 AND size < $3
     ORDER BY size LIMIT ${PAGE}`,
    [log, after, until],
  );
}

/** Deletes all that another one of the same hour follows, but cosigned ones. */
async function deleteOf(
  sql: Sql,
  log: number,
  page: readonly Checkpoint[],
): Promise<number> {
  const hour = ({ at }: Checkpoint) => Math.floor(at / HOUR_MS);
  const sizes = page.flatMap((checkpoint, place) => {
    const next = page[place + 1];
    const followed = next !== undefined && hour(next) === hour(checkpoint);
    return followed ? checkpoint.size : [];
  });
  if (sizes.length === 0) return 0;
  const gone = await sql.query(
    `DELETE FROM log_checkpoint k
     WHERE origin_id = $1 AND size = ANY($2::bigint[])
       AND NOT EXISTS (SELECT 1 FROM log_cosignature c
         WHERE c.origin_id = k.origin_id AND c.size = k.size)
     RETURNING size`,
    [log, sizes],
  );
  return gone.length;
}
