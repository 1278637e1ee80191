import { type LoadFigures, median } from '../load/figures.js';
import { type Figure, figure, type Mark, rounded } from '../row.js';
import type { Lab } from './lab.js';

/** By turns, so that other work meets all alike; what each round gave. */
export async function byTurns<T, Name extends string>(
  lab: Lab,
  label: string,
  things: Record<Name, () => Promise<T>>,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(things) as Name[];
  const found = Object.fromEntries(
    names.map((name) => [name, [] as T[]]),
  ) as Record<Name, T[]>;
  const { rounds } = lab.slice;
  for (let round = 0; round < rounds; round += 1) {
    lab.at(label, round, rounds);
    for (const name of names) found[name].push(await things[name]());
  }
  return found;
}

/** What a figure is made of: what each round gave of a thing and its reference. */
export type Beside<T> = {
  what: string;
  unit: string;
  found: readonly T[];
  reference: { what: string; unit?: string; found: readonly T[] };
  of: (one: T) => number;
  mark?: (ratio: number) => Mark;
  /** Digits of the values behind the point; none unless named. */
  digits?: number;
};

/** Medians of a thing, of its reference, and of the ratios by round. */
export function beside<T>(it: Beside<T>): Figure {
  const { what, unit, found, reference, of, digits = 0 } = it;
  const middle = (all: readonly T[]) => median(all.map(of));
  const ratio = median(
    found.map((one, at) => {
      const other = reference.found[at];
      return other === undefined ? 0 : of(one) / of(other);
    }),
  );
  return figure(what, [middle(found), unit, digits], {
    reference: [reference.what, middle(reference.found), reference.unit],
    ratio,
    mark: it.mark?.(ratio),
  });
}

export const perSecond = (load: LoadFigures) => load.perSecond;

/** What else of loads a reader of their figures wants to know. */
export function toldOf(loads: readonly LoadFigures[]): string {
  const failures = loads.reduce((sum, one) => sum + one.failures, 0);
  const p99 = median(loads.map((one) => one.p99));
  return `${failures} failures; p99 ${rounded(p99, 1)} ms`;
}
