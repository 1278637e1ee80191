import { z } from 'zod';
import { DAY_MS, utcDay } from '../../clock.js';
import { command } from '../command.js';
import { nextOf, time } from '../fields.js';
import { pageOf } from '../page.js';
import {
  ADDED,
  type Buckets,
  dayPoints,
  LEVELS,
  lagPoints,
  pointsOf,
  samplePage,
} from './charts.sql.js';

const MINUTE_MS = 60_000;
const COUNTS = [
  ...['messages', 'up_votes', 'down_votes', 'reports', 'decisions'],
  ...['failed', 'refused', 'sessions'],
];

const SAMPLES_MAX = 1000;
const SAMPLED = [
  'lag',
  'readers',
  'sessions',
  'failed',
  'refused',
  'open_reports',
  'hidden_topics',
  'open_polls',
] as const;

const chartInput = z.strictObject({ span: z.enum(['hour', 'day', 'month']) });
type Span = z.output<typeof chartInput>['span'];

const sampledName = z
  .string()
  .max(300)
  .regex(/^[^\p{Surrogate}\0]*$/u);
const samplesInput = z.strictObject({
  series: z
    .enum(SAMPLED)
    .describe(
      '`lag` in ms; `sessions`, `failed` and `refused` requests of the UTC day so far.',
    ),
  name: sampledName.optional().describe('One board of `lag`.'),
  from: time.optional(),
  to: time.optional().describe('Exclusive.'),
  after: nextOf({ at: time, name: sampledName }),
  limit: z.int().min(1).max(SAMPLES_MAX).default(100),
});
export type SamplesInput = z.output<typeof samplesInput>;

/** By name; null: nothing noted (levels only). */
type Lines = Record<string, (number | null)[]>;
/** `at`: starts of the buckets. */
export type Chart = { span: Span; at: number[]; series: Lines };
/** Worst lag of each bucket, in ms. */
export type LagChart = { span: Span; at: number[]; boards: Lines };
/** `name`: empty for this board. */
export type KeptFigure = { at: number; name: string; value: number };

const SPANS: Readonly<Record<Span, { step: number; count: number }>> = {
  hour: { step: MINUTE_MS, count: 60 },
  day: { step: 15 * MINUTE_MS, count: 96 },
  month: { step: DAY_MS, count: 30 },
};

function bucketsOf(span: Span, now: number): Buckets {
  const { step, count } = SPANS[span];
  const first = Math.floor(now / step) - count + 1;
  const at = Array.from({ length: count }, (_, n) => (first + n) * step);
  return { step, first, at, from: first * step, to: (first + count) * step };
}

export const readChart = command({
  name: 'overview.chart',
  reads: true,
  right: 'viewer',
  summary: 'What happened in the last hour, day or month, in equal buckets.',
  input: chartInput,
  handle: async ({ ctx: { reads, clock, telemetry }, input: { span } }) => {
    const buckets = bucketsOf(span, clock.now());
    const { at, first, from, to, step } = buckets;
    const points = await pointsOf(reads, buckets);
    if (span === 'month') {
      await telemetry.flush();
      const days = await dayPoints(reads, utcDay(from), utcDay(to - step));
      for (const { series, day, total } of days) {
        points.push({ series, total, bucket: Date.parse(day) / step });
      }
    } else points.push(...(await pointsOf(reads, buckets, ADDED)));
    const series: Chart['series'] = {};
    for (const name of COUNTS) series[name] = at.map(() => 0);
    for (const name of LEVELS) series[name] = at.map(() => null);
    for (const { series: name, bucket, total } of points) {
      const line = series[name];
      if (line !== undefined) line[bucket - first] = total;
    }
    return { span, at, series };
  },
});

export const readLags = command({
  name: 'history.lag',
  reads: true,
  right: 'viewer',
  summary: "How far behind each linked board's copy was, in ms.",
  input: chartInput,
  handle: async ({ ctx: { reads, clock }, input: { span } }) => {
    const buckets = bucketsOf(span, clock.now());
    const boards = new Map<string, (number | null)[]>();
    for (const { name, bucket, value } of await lagPoints(reads, buckets)) {
      const line = boards.get(name) ?? buckets.at.map(() => null);
      line[bucket - buckets.first] = value;
      boards.set(name, line);
    }
    return { span, at: buckets.at, boards: Object.fromEntries(boards) };
  },
});

export const listSamples = command({
  name: 'history.list',
  reads: true,
  right: 'viewer',
  summary: 'The kept figures one by one, oldest first.',
  input: samplesInput,
  handle: async ({ ctx: { reads }, input }) => {
    const rows = await samplePage(reads, input);
    return pageOf(rows, input.limit, ({ at, name }) => ({ at, name }));
  },
});
