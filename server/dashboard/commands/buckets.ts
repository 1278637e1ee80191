import { DAY_MS } from '../../clock.js';
import type { ChartInput } from '../schemas/read-commands.js';

const MINUTE_MS = 60_000;

const SPANS: Readonly<
  Record<ChartInput['span'], { step: number; count: number }>
> = {
  hour: { step: MINUTE_MS, count: 60 },
  day: { step: 15 * MINUTE_MS, count: 96 },
  month: { step: DAY_MS, count: 30 },
};

/** Equal parts of a span, each a whole number of steps since the epoch. */
export type Buckets = {
  step: number;
  /** Number of the first bucket: its start divided by the step. */
  first: number;
  /** Start of each, in ms. */
  at: number[];
  from: number;
  /** Exclusive. */
  to: number;
};

/** The last hour, day or thirty days, the bucket of `now` included. */
export function bucketsOf(span: ChartInput['span'], now: number): Buckets {
  const { step, count } = SPANS[span];
  const first = Math.floor(now / step) - count + 1;
  const at = Array.from({ length: count }, (_, n) => (first + n) * step);
  return { step, first, at, from: first * step, to: (first + count) * step };
}
