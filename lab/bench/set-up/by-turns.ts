import { median } from '../load/figures.js';
import type { Lab } from './lab.js';

/**
 * Measures things by turns, so that what else the machine does meets all of
 * them alike; answers what each gave, round by round.
 */
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

/** The median of what the same rounds of two things are to each other. */
export function ratioOf<T>(
  things: readonly T[],
  references: readonly T[],
  of: (one: T) => number,
): number {
  return median(
    things.map((one, at) => {
      const reference = references[at];
      return reference === undefined ? 0 : of(one) / of(reference);
    }),
  );
}
