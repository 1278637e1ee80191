import { DAY_MS, utcDay } from '../../clock.js';
import { pageOf } from '../page-of.js';
import type { CommandAsked } from '../schemas/commands.js';
import type { Chart } from '../schemas/views.js';
import {
  addedPoints,
  type Buckets,
  dayPoints,
  LEVELS,
  lagPoints,
  pointsOf,
  samplePage,
} from './charts.sql.js';
import { command } from './command.js';

const MINUTE_MS = 60_000;
const COUNTS = [
  ...['messages', 'up_votes', 'down_votes', 'reports', 'decisions'],
  ...['errors', 'sessions'],
];

type Span = CommandAsked<'overview.chart'>['span'];

const SPANS: Readonly<Record<Span, { step: number; count: number }>> = {
  hour: { step: MINUTE_MS, count: 60 },
  day: { step: 15 * MINUTE_MS, count: 96 },
  month: { step: DAY_MS, count: 30 },
};

/** The last hour, day or thirty days, the bucket of `now` included. */
function bucketsOf(span: Span, now: number): Buckets {
  const { step, count } = SPANS[span];
  const first = Math.floor(now / step) - count + 1;
  const at = Array.from({ length: count }, (_, n) => (first + n) * step);
  return { step, first, at, from: first * step, to: (first + count) * step };
}

export const readChart = command('overview.chart', {
  right: 'viewer',
  summary: 'What happened in the last hour, day or month, in equal buckets.',
  handle: async ({ reads, clock, telemetry }, _operator, { span }) => {
    const buckets = bucketsOf(span, clock.now());
    const { at, first, from, to, step } = buckets;
    const points = await pointsOf(reads, buckets);
    if (span === 'month') {
      await telemetry.flush();
      const days = await dayPoints(reads, utcDay(from), utcDay(to - step));
      for (const { series, day, total } of days) {
        points.push({ series, total, bucket: Date.parse(day) / step });
      }
    } else points.push(...(await addedPoints(reads, buckets)));
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

export const readLags = command('history.lag', {
  right: 'viewer',
  summary: "How far behind each linked board's copy was, in ms.",
  handle: async ({ reads, clock }, _operator, { span }) => {
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

export const listSamples = command('history.list', {
  right: 'viewer',
  summary: 'The kept figures one by one, oldest first.',
  handle: async ({ reads }, _operator, input) => {
    const rows = await samplePage(reads, input);
    return pageOf(rows, input.limit, ({ at, name }) => ({ at, name }));
  },
});
