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

/** Enough to share a statement, few enough to keep it short. */
const GROUP = 32;

/**
 * Asks in one statement for everything that is asked in one turn of the event
 * loop: they share its round trip and its commit. When the statement fails, it
 * fails for all of them.
 *
 * @param ask answers each item of a group, in their order.
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

/** A request that spends `check`, also when it is refused later. */
export type Attempt = Omit<Take, 'checks'> & { check: BudgetCheck };

/**
 * Groups attempts for a statement that begins with `takenWith`. The statement
 * gets them sorted by the rows that they lock, so that no two groups wait for
 * each other. It answers in that order.
 */
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

/**
 * What each of a group took. The statement counted as if each came alone: of
 * one counter, a later attempt comes after the earlier ones.
 */
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
    spends.map(({ scope }) => scope),
    spends.map(({ today }) => today),
    spends.map(({ old }) => old),
    spends.map(({ bound }) => bound),
    spends.map(({ since }) => since),
    spends.map(({ now }) => now),
    counted.map(({ place }) => place),
    counted.map(({ scope }) => scope),
    counted.map(({ today }) => today),
    counted.map(({ old }) => old),
    counted.map(({ since }) => since),
    counted.map(({ until }) => until),
  ];
}
