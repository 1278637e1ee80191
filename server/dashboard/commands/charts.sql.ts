// By hand: unions of aggregates, window functions and upserts of batches.
import { FigureSample } from '../../db/entities/stats.js';
import type { Sql } from '../../db/sql.js';
import { oneOf } from '../../db/states.js';
import { FAILURES } from '../../errors.js';
import type { KeptFigure, SamplesInput } from './charts.js';

/** Of a span; each is a whole number of steps since the epoch. */
export type Buckets = {
  step: number;
  /** Start of the first bucket, divided by the step. */
  first: number;
  /** Starts, in ms. */
  at: number[];
  from: number;
  /** Exclusive. */
  to: number;
};

/** Unknown where nothing was noted. */
export const LEVELS = [
  'readers',
  'open_reports',
  'hidden_topics',
  'open_polls',
] as const;

type Point = { series: string; bucket: number; total: number };

// $1 start, $2 end, $3 step. A bucket shows its highest level.
const POINTS = `
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
  WHERE decided_at >= $1 AND decided_at < $2 GROUP BY 2
  UNION ALL SELECT series, at / $3, max(value) FROM figure_sample
  WHERE ${oneOf('series', LEVELS)} AND at >= $1 AND at < $2 GROUP BY 1, 2`;

/** Stored by day. */
const BY_DAY = `
  SELECT CASE WHEN code = ANY($3) THEN 'failed' ELSE 'refused' END AS series,
    day, sum(total)::bigint AS total
  FROM request_error_day WHERE day BETWEEN $1 AND $2 GROUP BY 1, 2
  UNION ALL SELECT 'sessions', day, sum(networks)::bigint FROM (
    SELECT day, networks FROM session_total WHERE day BETWEEN $1 AND $2
    UNION ALL SELECT day, count(*) FROM session_day
    WHERE day BETWEEN $1 AND $2 GROUP BY day) s GROUP BY day`;

/** Within a day: differences of the minutes' running totals. */
export const ADDED = `
  SELECT series, at / $3::bigint AS bucket, sum(added)::bigint AS total FROM (
    SELECT series, at, CASE
        WHEN lag(at) OVER w IS NULL THEN 0
        WHEN lag(at) OVER w / 86400000 = at / 86400000
          THEN greatest(0, value - lag(value) OVER w)
        ELSE value END AS added
    FROM figure_sample
    WHERE series IN ('failed', 'refused', 'sessions')
      AND at >= $1::bigint - 86400000 AND at < $2
    WINDOW w AS (PARTITION BY series ORDER BY at)) s
  WHERE at >= $1 GROUP BY 1, 2`;

export async function pointsOf(
  sql: Sql,
  { from, to, step }: Buckets,
  statement = POINTS,
): Promise<Point[]> {
  return await sql.query<Point>(statement, [from, to, step]);
}

export async function dayPoints(
  sql: Sql,
  firstDay: string,
  lastDay: string,
): Promise<{ series: string; day: string; total: number }[]> {
  return await sql.query(BY_DAY, [firstDay, lastDay, FAILURES]);
}

/** A bucket shows its worst value. */
export async function lagPoints(
  { manager }: Sql,
  { from, to, step }: Buckets,
): Promise<{ name: string; bucket: number; value: number }[]> {
  return await manager
    .createQueryBuilder(FigureSample, 's')
    .select(['s.name AS name', 'max(s.value) AS value'])
    .addSelect(`s.at / ${step}::bigint`, 'bucket')
    .where("s.series = 'lag' AND s.at >= :from AND s.at < :to", { from, to })
    .groupBy('s.name, bucket')
    .orderBy('s.name')
    .getRawMany();
}

/** Oldest first, and one more than `limit`. */
export async function samplePage(
  { manager }: Sql,
  { series, name, from, to, after, limit }: SamplesInput,
): Promise<KeptFigure[]> {
  const page = manager
    .createQueryBuilder(FigureSample, 's')
    .select(['s.at AS at', 's.name AS name', 's.value AS value'])
    .where({ series, ...(name === undefined ? {} : { name }) })
    .orderBy('s.at')
    .addOrderBy('s.name')
    .limit(limit + 1);
  if (from !== undefined) page.andWhere('s.at >= :from', { from });
  if (to !== undefined) page.andWhere('s.at < :to', { to });
  if (after) page.andWhere('(s.at, s.name) > (:at, :name)', after);
  return await page.getRawMany<KeptFigure>();
}

export type Sample = [
  series: SamplesInput['series'],
  name: string,
  value: number,
];

// Of two figures of a minute the higher one stays.
const KEEP = `
  INSERT INTO figure_sample AS s (at, series, name, value)
  SELECT $1, it.series, it.name, it.value
  FROM unnest($2::text[], $3::text[], $4::bigint[]) AS it (series, name, value)
  ON CONFLICT (at, series, name)
    DO UPDATE SET value = greatest(s.value, excluded.value)`;

export async function keepSamples(
  sql: Sql,
  at: number,
  samples: readonly Sample[],
): Promise<void> {
  await sql.query(KEEP, [
    at,
    samples.map(([series]) => series),
    samples.map(([, name]) => name),
    samples.map(([, , value]) => value),
  ]);
}

const THIN = `
  WITH fine AS (
    DELETE FROM figure_sample WHERE at % 900000 <> 0 AND at < $1
    RETURNING at, series, name, value)
  INSERT INTO figure_sample AS s (at, series, name, value)
  SELECT at - at % 900000, series, name, max(value) FROM fine GROUP BY 1, 2, 3
  ON CONFLICT (at, series, name)
    DO UPDATE SET value = greatest(s.value, excluded.value)`;

/** Merges figures before `until` into quarters of an hour. */
export async function thinSamples(sql: Sql, until: number): Promise<void> {
  await sql.query(THIN, [until]);
}
