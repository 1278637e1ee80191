import {
  assertTaken,
  type BudgetCheck,
  byKey,
  networkKey,
  type Take,
} from '../db/budgets.js';
import { Grouped } from '../db/grouped.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';

/**
 * Counts one request of a network and reads what it needs: one statement for
 * all that arrive together.
 */
export class CountedLookup<Asked, Row extends { blocked: number | null }> {
  private readonly rows: Grouped<Asked & Take, Row>;

  constructor(
    private readonly budget: Omit<BudgetCheck, 'key'>,
    ask: (group: readonly (Asked & Take)[]) => Promise<Row[]>,
  ) {
    this.rows = new Grouped(ask, byKey);
  }

  /** @throws BoardError `rate_limited` */
  async of(counters: CounterKeys, asked: Asked, now: number): Promise<Row> {
    const check = { ...this.budget, key: networkKey(counters) };
    const row = await this.rows.add({ ...asked, check, now });
    assertTaken(check, row.blocked, now);
    return row;
  }
}
