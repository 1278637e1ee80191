import DataLoader from 'dataloader';
import {
  type BudgetCheck,
  checkRow,
  spendMore,
  type Take,
  type Taken,
  type TakenRow,
  takenOf,
  windowEnd,
} from './budgets.js';
import { arraysOf } from './sql.js';

/** Enough to share a statement, few enough to keep it short. */
const GROUP = 32;

/**
 * Answers everything asked in one turn of the event loop with one statement. It
 * fails for all or none.
 * @param ask answers each item, in order
 */
export function grouped<In, Out>(
  ask: (group: readonly In[]) => Promise<readonly Out[]>,
): (item: In) => Promise<Out> {
  const loader = new DataLoader<In, Out>(ask, {
    cache: false,
    maxBatchSize: GROUP,
    batchScheduleFn: (run) => setImmediate(run),
  });
  return (item) => loader.load(item);
}

/** Spends `check` also when the request is refused later. */
export type Attempt = Omit<Take, 'checks'> & { check: BudgetCheck };

/** Sorts attempts by locked rows, so that no two groups deadlock. */
export function groupedAttempts<One extends Attempt, Row extends TakenRow>(
  ask: (group: readonly One[]) => Promise<readonly Row[]>,
): (one: One) => Promise<{ row: Row; taken: Taken }> {
  return grouped(async (items) => {
    const group = items.toSorted((a, b) =>
      Buffer.compare(a.check.key.today, b.check.key.today),
    );
    const rows = await ask(group);
    const taken = takenTogether(group, rows);
    const answers = new Map(
      group.map((one, at) => [one, { row: rows[at], taken: taken[at] }]),
    );
    return items.map((one) => {
      const { row, taken: its } = answers.get(one) ?? {};
      if (row === undefined || its === undefined) {
        throw new Error('a group was not answered whole');
      }
      return { row, taken: its };
    });
  });
}

/** The statement counted each attempt as if it came alone. */
function takenTogether(
  group: readonly Attempt[],
  rows: readonly TakenRow[],
): Taken[] {
  const earlier: BudgetCheck[] = [];
  return rows.flatMap((row, at) => {
    const one = group[at];
    if (one === undefined) return [];
    const { check, now } = one;
    const { blocked, spent } = takenOf({ ...one, checks: [check] }, row);
    const before = earlier.filter(({ key }) =>
      key.today.equals(check.key.today),
    );
    if (blocked === null) earlier.push(check);
    const all = before.reduce(
      (sum, { scope }) => spendMore(sum, [scope], now),
      spent,
    );
    return [{ blocked, spent: all }];
  });
}

/** `$1` to `$12` of a statement that begins with `takenWith`. */
export function attemptValues(group: readonly Attempt[]): unknown[] {
  const spends = group.map(({ check, limits, now }) => ({
    ...checkRow(check, limits, now),
    now,
  }));
  const counted = group.flatMap(({ reported = [], limits, now }, at) =>
    reported.map((check) => ({
      ...checkRow(check, limits, now),
      place: at + 1,
      until: windowEnd(now),
    })),
  );
  return [
    ...arraysOf(spends, 'scope', 'today', 'old', 'bound', 'since', 'now'),
    ...arraysOf(counted, 'place', 'scope', 'today', 'old', 'since', 'until'),
  ];
}
