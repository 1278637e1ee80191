import { utcDay } from '../../clock.js';
import type { ChartInput } from '../schemas/read-commands.js';
import type { Chart } from '../schemas/views.js';
import type { Desk } from './action-context.js';
import { type Buckets, bucketsOf } from './buckets.js';

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

/** Kept by day: sessions and what requests ended with. */
const BY_DAY = `
  SELECT 'errors' AS series, day, sum(total)::bigint AS total
  FROM request_error_day WHERE day BETWEEN $1 AND $2 GROUP BY day
  UNION ALL SELECT 'sessions', day, sum(networks)::bigint FROM (
    SELECT day, networks FROM session_total WHERE day BETWEEN $1 AND $2
    UNION ALL SELECT day, count(*) FROM session_day
    WHERE day BETWEEN $1 AND $2 GROUP BY day) s GROUP BY day`;

/**
 * The same within a day: their counts of the day so far were noted each minute,
 * and what was added since the note before is the minute's. A first note of
 * all says nothing of its own minute.
 */
const ADDED = `
  SELECT series, at / $3::bigint AS bucket, sum(added)::bigint AS total FROM (
    SELECT series, at, CASE
        WHEN lag(at) OVER w IS NULL THEN 0
        WHEN lag(at) OVER w / 86400000 = at / 86400000
          THEN greatest(0, value - lag(value) OVER w)
        ELSE value END AS added
    FROM figure_sample
    WHERE series IN ('errors', 'sessions')
      AND at >= $1::bigint - 86400000 AND at < $2
    WINDOW w AS (PARTITION BY series ORDER BY at)) s
  WHERE at >= $1 GROUP BY 1, 2`;

/** What stands at a time rather than happens: the highest of the bucket. */
const LEVELS = `
  SELECT series, at / $3::bigint AS bucket, max(value) AS total
  FROM figure_sample
  WHERE series IN ('readers', 'open_reports', 'hidden_topics', 'open_polls')
    AND at >= $1 AND at < $2 GROUP BY 1, 2`;

/** Of these nothing is known where nothing was noted. */
const NOTED = ['readers', 'open_reports', 'hidden_topics', 'open_polls'];

/** What happened in the last hour, day or thirty days, in equal buckets. */
export async function readChart(
  desk: Pick<Desk, 'reads' | 'clock' | 'telemetry'>,
  { span }: ChartInput,
): Promise<Chart> {
  const buckets = bucketsOf(span, desk.clock.now());
  const { at, first, from, to, step } = buckets;
  const values = [from, to, step];
  const points = [
    ...(await desk.reads.query<Point>(COUNTED, values)),
    ...(await desk.reads.query<Point>(LEVELS, values)),
    ...(span === 'month'
      ? await byDay(desk, buckets)
      : await desk.reads.query<Point>(ADDED, values)),
  ];
  const series: Chart['series'] = {};
  const counted = ['messages', 'up_votes', 'down_votes', 'reports'];
  for (const name of [...counted, 'decisions', 'errors', 'sessions']) {
    series[name] = at.map(() => 0);
  }
  for (const name of NOTED) series[name] = at.map(() => null);
  for (const { series: name, bucket, total } of points) {
    const line = series[name];
    if (line !== undefined) line[bucket - first] = total;
  }
  return { span, at, series };
}

async function byDay(
  { reads, telemetry }: Pick<Desk, 'reads' | 'telemetry'>,
  { from, to, step }: Buckets,
): Promise<Point[]> {
  await telemetry.flush();
  const rows = await reads.query<{
    series: string;
    day: string;
    total: number;
  }>(BY_DAY, [utcDay(from), utcDay(to - step)]);
  return rows.map(({ day, ...row }) => ({
    ...row,
    bucket: Date.parse(day) / step,
  }));
}
