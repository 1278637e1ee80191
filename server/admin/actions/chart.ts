import { DAY_MS, utcDay } from '../../clock.js';
import type { ChartInput } from '../events/read-commands.js';
import type { Chart } from '../events/views.js';
import type { Desk } from './desk.js';

const MINUTE_MS = 60_000;

const SPANS: Readonly<
  Record<ChartInput['span'], { step: number; count: number }>
> = {
  hour: { step: MINUTE_MS, count: 60 },
  day: { step: 15 * MINUTE_MS, count: 96 },
  month: { step: DAY_MS, count: 30 },
};

type Point = { series: string; bucket: number; total: number };

// $1 start, $2 end, $3 step; a bucket is a whole number of steps.
const COUNTED = `
  SELECT 'messages' AS series, created_at / $3::bigint AS bucket,
    count(*) AS total
  FROM message WHERE created_at >= $1 AND created_at < $2 GROUP BY 2
  UNION ALL SELECT 'up_votes', at / $3, count(*) FROM vote
  WHERE value = 1 AND at >= $1 AND at < $2 GROUP BY 2
  UNION ALL SELECT 'down_votes', at / $3, count(*) FROM vote
  WHERE value = -1 AND at >= $1 AND at < $2 GROUP BY 2
  UNION ALL SELECT 'reports', created_at / $3, count(*) FROM report
  WHERE created_at >= $1 AND created_at < $2 GROUP BY 2
  UNION ALL SELECT 'decisions', decided_at / $3, count(*) FROM decision
  WHERE decided_at >= $1 AND decided_at < $2 GROUP BY 2`;

/** Kept by day only: sessions and what requests ended with. */
const BY_DAY = `
  SELECT 'errors' AS series, day, sum(total)::bigint AS total
  FROM request_error_day WHERE day BETWEEN $1 AND $2 GROUP BY day
  UNION ALL SELECT 'sessions', day, sum(networks)::bigint FROM (
    SELECT day, networks FROM session_total WHERE day BETWEEN $1 AND $2
    UNION ALL SELECT day, count(*) FROM session_day
    WHERE day BETWEEN $1 AND $2 GROUP BY day) s GROUP BY day`;

/** What happened in the last hour, day or thirty days, in equal buckets. */
export async function readChart(
  desk: Pick<Desk, 'reads' | 'clock' | 'telemetry'>,
  { span }: ChartInput,
): Promise<Chart> {
  const { step, count } = SPANS[span];
  const last = Math.floor(desk.clock.now() / step);
  const first = last - count + 1;
  const bounds = [first * step, (last + 1) * step];
  const points = await desk.reads.query<Point>(COUNTED, [...bounds, step]);
  if (span === 'month') {
    await desk.telemetry.flush();
    const days = [utcDay(first * step), utcDay(last * step)];
    const rows = await desk.reads.query<{
      series: string;
      day: string;
      total: number;
    }>(BY_DAY, days);
    for (const { day, ...row } of rows) {
      points.push({ ...row, bucket: Date.parse(day) / DAY_MS });
    }
  }
  const names = [
    ...['messages', 'up_votes', 'down_votes', 'reports', 'decisions'],
    ...(span === 'month' ? ['errors', 'sessions'] : []),
  ];
  const series = Object.fromEntries(
    names.map((name) => [name, new Array<number>(count).fill(0)]),
  );
  for (const { series: name, bucket, total } of points) {
    const values = series[name];
    if (values !== undefined) values[bucket - first] = total;
  }
  const at = Array.from({ length: count }, (_, n) => (first + n) * step);
  return { span, at, series };
}
