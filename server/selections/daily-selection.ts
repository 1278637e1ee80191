import { DAY_MS, utcDay, utcDayStart } from '../clock.js';
import type { Context } from '../context.js';
import { Selection, SelectionCard } from '../db/entities/selection.js';
import { nextId } from '../db/next-id.sql.js';
import { lockSelections, topOfPeriod } from './selections.sql.js';

const CARDS_MAX = 5;

/**
 * Selects the previous UTC day's five best, as `/api/top` orders them
 * (spec/board.md §2.16), once and only if there are any. Returns the number of
 * cards.
 */
export async function makeDailySelection(
  ctx: Pick<Context, 'writes' | 'clock'>,
): Promise<{ cards: number }> {
  const now = ctx.clock.now();
  const end = utcDayStart(now);
  const start = end - DAY_MS;
  const day = utcDay(start);
  // Most runs end here; a COMMIT would invalidate cached answers.
  if (await ctx.writes.manager.existsBy(Selection, { day }))
    return { cards: 0 };
  return await ctx.writes.transaction(async (tx) => {
    await lockSelections(tx);
    if (await tx.manager.existsBy(Selection, { day })) return { cards: 0 };
    const best = await topOfPeriod(tx, { start, end, max: CARDS_MAX });
    if (best.length === 0) return { cards: 0 };
    const id = await nextId(tx, 'selection');
    await tx.manager.insert(Selection, { id, day, createdAt: now });
    const cards = best.map(({ id: messageId, likes }, at) => ({
      selectionId: id,
      n: at + 1,
      messageId,
      likes,
    }));
    await tx.manager.insert(SelectionCard, cards);
    return { cards: best.length };
  });
}
