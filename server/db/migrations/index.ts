import * as all from './all.js';

const timeOf = ({ name }: { name: string }) => Number(name.slice(-13));

/** Oldest first; an explicit list, never a glob. */
export const migrations = Object.values(all).sort(
  (a, b) => timeOf(a) - timeOf(b),
);
