import { statfs } from 'node:fs/promises';
import type { Context } from '../../context.js';
import { pendingMigrations } from '../../db/migrate.js';

const CLOCK_SKEW_MS = 2000;
const BEHIND_MS = 120_000;
const MIN_FREE_BYTES = 500_000_000;
const MIN_FREE_SHARE = 0.05;

type Row = {
  db_ms: number;
  last_at: number;
  size: number;
  next_idx: number;
  last_message_id: number;
  newest: number;
};

/**
 * What keeps this node from serving well, by name; empty when it is ready
 * (spec/board.md §14.6): database, ledger head, clock, disk.
 */
export async function unreadiness(ctx: Context): Promise<string[]> {
  if (ctx.stopping.aborted) return ['stopping'];
  const problems: string[] = [];
  const before = ctx.clock.now();
  try {
    const [row] = await ctx.reads.query<Row>(
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS db_ms,
         s.last_at, s.size, s.last_message_id,
         coalesce((SELECT max(idx) + 1 FROM log_entry
                   WHERE origin_id = 0), 0) AS next_idx,
         coalesce((SELECT max(id) FROM message), 0) AS newest
       FROM log_state s WHERE s.origin_id = 0`,
    );
    const now = ctx.clock.now();
    if (row === undefined) return ['ledger'];
    const pending = await pendingMigrations(ctx.reads);
    if (pending.length > 0) problems.push('migrations');
    if (now - before > 1000) problems.push('database is slow');
    if (row.size !== row.next_idx || row.last_message_id < row.newest) {
      problems.push('ledger');
    }
    if (row.last_at - now > BEHIND_MS) problems.push('clock');
    if (row.db_ms < before - CLOCK_SKEW_MS || row.db_ms > now + CLOCK_SKEW_MS) {
      problems.push('clock skew');
    }
  } catch {
    return ['database'];
  }
  if (ctx.guard.closed !== null) problems.push('log guard');
  if (!(await hasRoom(ctx.config.dataDir))) problems.push('disk');
  return problems;
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    const free = bavail * bsize;
    return free >= MIN_FREE_BYTES && bavail >= blocks * MIN_FREE_SHARE;
  } catch {
    return false;
  }
}
