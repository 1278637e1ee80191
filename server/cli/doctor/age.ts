const UNITS: readonly [ms: number, name: string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
];

/** Such as `3 hours`; `ms` is 0 or more. */
export function timeOf(ms: number): string {
  const [unit, name] = UNITS.find(([least]) => ms >= least) ?? [1000, 'second'];
  const count = Math.floor(ms / unit);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
