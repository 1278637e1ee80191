// By hand: aggregates of four tables at one moment.
import { DAY_MS, utcDay, utcDayStart, utcHour } from '../clock.js';
import { Message } from '../db/entities/message.js';
import { only, type Sql } from '../db/sql.js';
import { shownSessions } from './board-counts.sql.js';

const ERRORS_MAX = 200;

/** Whole UTC days, in ms; `end` is exclusive. */
export type Period = { start: number; end: number };

type UsefulnessMetrics = {
  keys: { seen: number; returned: number };
  browser: {
    visitors: number;
    visits: number;
    selection_open: number;
    source_open: number;
  };
  errors: { operation: string; code: string; count: number }[];
  network_days: { total: number; affected: number };
};

/** Up to and including the day of `now`. */
export function lastDays(now: number, days: number): Period {
  const end = utcDayStart(now) + DAY_MS;
  return { start: end - days * DAY_MS, end };
}

// $1, $2 bounds in ms, $3, $4 first and last day.
const KEYS = `
  SELECT json_build_object('seen', count(*), 'returned', count(*) FILTER
    (WHERE s.last_day > (SELECT m.created_at / ${DAY_MS} FROM message m
      WHERE m.agent_id = s.agent_id AND m.removed_at IS NULL
      ORDER BY m.id LIMIT 1)))
  FROM (SELECT agent_id, max(created_at) / ${DAY_MS} AS last_day FROM message
    WHERE agent_id IS NOT NULL AND removed_at IS NULL
      AND created_at >= $1 AND created_at < $2 GROUP BY agent_id) s`;

// $5, $6 today and hour, as in `shownSessions`.
const BROWSER = `
  SELECT json_build_object('visitors', coalesce(sum(CASE
      WHEN day < $5 THEN visitors WHEN hour < $6::int THEN visitors / 10 * 10
      ELSE former / 10 * 10 END), 0)::bigint,
    'visits', coalesce(sum(visit), 0)::bigint,
    'selection_open', coalesce(sum(selection_open), 0)::bigint,
    'source_open', coalesce(sum(source_open), 0)::bigint)
  FROM reader_total WHERE day BETWEEN $3 AND $4`;

const ERRORS = `
  SELECT coalesce(json_agg(e), '[]') FROM (
    SELECT operation, code, sum(total)::bigint AS count
    FROM request_error_day WHERE day BETWEEN $3 AND $4
    GROUP BY operation, code
    ORDER BY count DESC, operation, code LIMIT ${ERRORS_MAX}) e`;

const NETWORK_DAYS = `
  SELECT json_build_object('total', coalesce(sum(networks), 0)::bigint,
    'affected', coalesce(sum(affected), 0)::bigint)
  FROM (${shownSessions('$5', '$6::int')}) s WHERE day BETWEEN $3 AND $4`;

type ContentMetrics = {
  topics: number;
  replies: number;
  /** Topics of room `questions`, and those with a reply. */
  questions: number;
  answered_questions: number;
};

const QUESTION = "reply_to IS NULL AND room = 'questions'";

/** Of the period, not removed (spec/operators.md §2.3). */
export async function contentMetrics(
  { manager }: Sql,
  { start, end }: Period,
): Promise<ContentMetrics> {
  const row = await manager
    .createQueryBuilder(Message, 'm')
    .select([
      'count(*) FILTER (WHERE reply_to IS NULL) AS topics',
      'count(*) FILTER (WHERE reply_to IS NOT NULL) AS replies',
      `count(*) FILTER (WHERE ${QUESTION}) AS questions`,
      `count(*) FILTER (WHERE ${QUESTION} AND reply_count > 0) AS answered_questions`,
    ])
    .where('m.createdAt >= :start AND m.createdAt < :end', { start, end })
    .andWhere('m.removedAt IS NULL')
    .getRawOne<ContentMetrics>();
  if (row === undefined) throw new Error('a one-row statement gave none');
  return row;
}

export async function usefulnessMetrics(
  sql: Sql,
  { start, end }: Period,
  now: number,
): Promise<UsefulnessMetrics> {
  const rows = await sql.query<UsefulnessMetrics>(
    `SELECT (${KEYS}) AS keys, (${BROWSER}) AS browser, (${ERRORS}) AS errors,
       (${NETWORK_DAYS}) AS network_days`,
    [
      ...[start, end, utcDay(start), utcDay(end - 1)],
      ...[utcDay(now), utcHour(now)],
    ],
  );
  return only(rows);
}
