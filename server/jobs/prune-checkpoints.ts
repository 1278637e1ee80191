import type { Context } from '../context.js';
import type { Sql } from '../db/sql.js';
import { OWN_LOG } from '../ledger/nodes.js';
import type { Rows } from './job.js';

const KEPT = 10_000;
const PAGE = 1000;
const HOUR_MS = 3_600_000;

type Checkpoint = { size: number; at: number };

/**
 * One run of the pruning of the own log's checkpoints: the newest ten thousand
 * stay, and of each earlier hour its last.
 */
export async function pruneCheckpoints(
  { writes: sql }: Pick<Context, 'writes'>,
  signal: AbortSignal,
  kept: number = KEPT,
): Promise<Rows> {
  const [oldest] = await sql.query<Checkpoint>(
    `SELECT size, at FROM log_checkpoint WHERE origin_id = $1
     ORDER BY size DESC OFFSET $2 LIMIT 1`,
    [OWN_LOG, kept - 1],
  );
  let deleted = 0;
  let after = -1;
  while (oldest !== undefined && !signal.aborted) {
    const page = await pageAfter(sql, after, oldest.size);
    deleted += await deleteOf(sql, page);
    // The last one is looked at again, beside its successor.
    const next = page.at(-2);
    if (page.length < PAGE || next === undefined) break;
    after = next.size;
  }
  return { checkpoints: deleted };
}

async function pageAfter(
  sql: Sql,
  after: number,
  until: number,
): Promise<Checkpoint[]> {
  return await sql.query<Checkpoint>(
    `SELECT size, at FROM log_checkpoint
     WHERE origin_id = $1 AND size > $2 AND size < $3
     ORDER BY size LIMIT ${PAGE}`,
    [OWN_LOG, after, until],
  );
}

/** Deletes all that another one of the same hour follows. */
async function deleteOf(
  sql: Sql,
  page: readonly Checkpoint[],
): Promise<number> {
  const hour = ({ at }: Checkpoint) => Math.floor(at / HOUR_MS);
  const sizes = page.flatMap((checkpoint, place) => {
    const next = page[place + 1];
    const followed = next !== undefined && hour(next) === hour(checkpoint);
    return followed ? checkpoint.size : [];
  });
  if (sizes.length === 0) return 0;
  await sql.query(
    `DELETE FROM log_checkpoint
     WHERE origin_id = $1 AND size = ANY($2::bigint[])`,
    [OWN_LOG, sizes],
  );
  return sizes.length;
}
