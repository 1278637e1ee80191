import { count } from './figures.js';
import { span } from './Time.js';

/** Null is a gap. */
export type Line = readonly (number | null)[];

export type Scale = {
  write: (value: number) => string;
  steps: number[];
  least: number;
};

const TENS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];
const SECONDS = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 7200, 21_600, 43_200];
const DAY_MS = 86_400_000;

export const COUNTS: Scale = {
  write: count,
  steps: TENS.flatMap((it) => [it, 2 * it, 5 * it]),
  least: 1,
};

/** Of spans in ms. */
export const SPANS: Scale = {
  write: span,
  steps: [
    ...SECONDS.map((it) => it * 1000),
    ...[1, 2, 5, 10, 20, 50, 100].map((it) => it * DAY_MS),
  ],
  least: 10_000,
};

/** `14:00`, and `03-01` at midnight, in UTC, of seconds. */
export function hourOrDay(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString();
  const hour = text.slice(11, 16);
  return hour === '00:00' ? text.slice(5, 10) : hour;
}

export function written(
  value: number | null | undefined,
  { write }: Scale,
): string {
  return value == null ? '–' : write(value);
}
