import { DAY_MS, utcDay, utcDayStart } from '../clock.js';
import type { Context } from '../context.js';
import { nextId } from '../db/next-id.js';
import type { Tx } from '../db/sql.js';
import { TOP_OF_PERIOD } from './top-of-period.js';

const CARDS_MAX = 5;

/**
 * One run of the daily job: the selection of the previous UTC day, up to five
 * messages in the order of `/api/top` over that day (spec/board.md §2.16). A
 * day without a liked message gets none, and a day that has one keeps it.
 * Answers the number of cards made.
 */
export async function makeDailySelection(
  ctx: Pick<Context, 'writes' | 'clock'>,
): Promise<{ cards: number }> {
  const now = ctx.clock.now();
  const end = utcDayStart(now);
  const start = end - DAY_MS;
  const day = utcDay(start);
  return await ctx.writes.transaction(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtext('selection'))");
    if (await exists(tx, day)) return { cards: 0 };
    const best = await tx.query<{ id: number; likes: number }>(TOP_OF_PERIOD, [
      start,
      end,
      CARDS_MAX,
    ]);
    if (best.length === 0) return { cards: 0 };
    const id = await nextId(tx, 'selection');
    await tx.query(
      'INSERT INTO selection (id, day, created_at) VALUES ($1, $2, $3)',
      [id, day, now],
    );
    await tx.query(
      `INSERT INTO selection_card (selection_id, n, message_id, likes)
       SELECT $1, c.n, c.id, c.likes FROM unnest($2::bigint[], $3::bigint[])
         WITH ORDINALITY AS c (id, likes, n)`,
      [id, best.map((card) => card.id), best.map(({ likes }) => likes)],
    );
    return { cards: best.length };
  });
}

async function exists(tx: Tx, day: string): Promise<boolean> {
  const rows = await tx.query('SELECT id FROM selection WHERE day = $1', [day]);
  return rows.length > 0;
}
