import { utcHour } from '../clock.js';
import type { Context } from '../context.js';
import {
  type CounterKeys,
  checksOf,
  networkKey,
  rateLimited,
  retryAfter,
} from '../db/budgets.js';
import { takeBudgets } from '../db/budgets.sql.js';
import { ReaderEvent, ReaderTotal } from '../db/entities/stats.js';

/**
 * Under the lock of the day's row, so limits are exact. The network pays for a
 * new visitor.
 * @throws BoardError `rate_limited`
 */
export async function countReaderEvent(
  { writes, limits, clock }: Pick<Context, 'writes' | 'limits' | 'clock'>,
  { day, visitor, event }: Pick<ReaderEvent, 'day' | 'visitor' | 'event'>,
  payer: CounterKeys,
): Promise<void> {
  const now = clock.now();
  await writes.transaction(async (tx) => {
    const totals = tx.manager.getRepository(ReaderTotal);
    const insert = totals.createQueryBuilder().insert().values({ day });
    await insert.orIgnore().execute();
    const lock = { mode: 'pessimistic_write' } as const;
    const total = await totals.findOneOrFail({ where: { day }, lock });
    const events = await tx.manager.findBy(ReaderEvent, { day, visitor });
    const counted = { day, visitor, event };
    const before = events.find((it) => it.event === event)?.total ?? 0;
    const limit =
      total.visit + total.selection_open + total.source_open >=
      limits.reader_events_per_board_day
        ? 'reader_events_per_board_day'
        : events.reduce((sum, it) => sum + it.total, 0) >=
            limits.reader_events_per_visitor_day
          ? 'reader_events_per_visitor_day'
          : null;
    if (limit !== null) {
      const retryAfterSeconds = retryAfter('day', now, now);
      throw rateLimited({ limit, retryAfterSeconds });
    }
    const hour = utcHour(now);
    const isNew = events.length === 0;
    if (isNew) {
      const key = networkKey(payer);
      const checks = checksOf(key, 'reader_visitors_per_network_day');
      await takeBudgets(tx, { checks, limits, now });
    }
    await tx.manager.upsert(ReaderEvent, { ...counted, total: before + 1 }, [
      ...['day', 'visitor', 'event'],
    ]);
    await totals.update(day, {
      [event]: total[event] + 1,
      ...(isNew && {
        visitors: total.visitors + 1,
        hour,
        former: total.hour < hour ? total.visitors : total.former,
      }),
    });
  }, false);
}
