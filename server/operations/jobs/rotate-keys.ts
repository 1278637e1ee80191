import { DAY_MS, utcDay } from '../../clock.js';
import type { Context } from '../../context.js';
import type { Rows } from './job.js';

/**
 * One run of the key rotation (spec/board.md §1.9): tomorrow's day key is made
 * before anybody needs it, and keys that no window can need are erased: a
 * day's key stays through the next day, 48 hours in all.
 */
export async function rotateKeys(
  ctx: Pick<Context, 'writes' | 'clock' | 'networkKeys'>,
): Promise<Rows> {
  await ctx.networkKeys.counterKeys(Buffer.alloc(0));
  const [row] = await ctx.writes.query<{ rows: number }>(
    `WITH gone AS (DELETE FROM day_key WHERE day < $1 RETURNING 1)
     SELECT count(*) AS rows FROM gone`,
    [utcDay(ctx.clock.now() - DAY_MS)],
  );
  return { day_keys: row?.rows ?? 0 };
}
