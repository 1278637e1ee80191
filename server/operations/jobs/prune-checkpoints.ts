import { And, LessThan, MoreThan } from 'typeorm';
import type { Context } from '../../context.js';
import { LogCheckpoint, LogState } from '../../db/entities/log.js';
import type { Sql } from '../../db/sql.js';
import type { Rows } from './jobs.js';

const KEPT = 10_000;
const PAGE = 1000;
const HOUR_MS = 3_600_000;

type Checkpoint = Pick<LogCheckpoint, 'size' | 'at'>;

/** Keeps ten thousand, hourly ones and cosigned ones (spec/mesh.md §B11). */
export async function pruneCheckpoints(
  { writes: sql }: Pick<Context, 'writes'>,
  signal: AbortSignal,
  kept: number = KEPT,
): Promise<Rows> {
  const logs = await sql.manager.find(LogState, {
    select: { originId: true },
    order: { originId: 'ASC' },
  });
  let checkpoints = 0;
  for (const { originId: log } of logs) {
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
  const [oldest] = await sql.manager.find(LogCheckpoint, {
    select: { size: true, at: true },
    where: { originId: log },
    order: { size: 'DESC' },
    skip: kept - 1,
    take: 1,
  });
  let deleted = 0;
  let after = -1;
  while (oldest !== undefined && !signal.aborted) {
    const page = await pageAfter(sql, log, after, oldest.size);
    deleted += await deleteOf(sql, log, page);
    // The last one is compared with its successor in the next page.
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
  return await sql.manager.find(LogCheckpoint, {
    select: { size: true, at: true },
    where: { originId: log, size: And(MoreThan(after), LessThan(until)) },
    order: { size: 'ASC' },
    take: PAGE,
  });
}

/** Keeps the last of each hour and cosigned ones. */
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
  const { affected } = await sql.manager
    .createQueryBuilder()
    .delete()
    .from(LogCheckpoint)
    .where('origin_id = :log AND size = ANY(:sizes)', { log, sizes })
    .andWhere(
      `NOT EXISTS (SELECT FROM log_cosignature c
        WHERE c.origin_id = log_checkpoint.origin_id
          AND c.size = log_checkpoint.size)`,
    )
    .execute();
  return affected ?? 0;
}
