// By hand: percentiles and counts of two tables at one moment.
import { only, type Sql } from '../../db/sql.js';
import { OPEN_REPORTS } from '../../db/states.js';
import type { ResponseFigures } from './response.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GROUPS_MAX = 200;

/** The contrary of the superseded one. */
const REVERSED = `(s.action, d.action) IN (('remove', 'reinstate'),
  ('reinstate', 'remove'), ('hide', 'restore_visibility'),
  ('restore_visibility', 'hide'))`;

const times = (column: string) => `json_build_object(
    'median_ms', percentile_disc(0.5) WITHIN GROUP (ORDER BY ${column}),
    'p90_ms', percentile_disc(0.9) WITHIN GROUP (ORDER BY ${column}))`;

const younger = (ms: number) => `created_at >= $2::bigint - ${ms}`;

// $1, $2 the period in ms, $3 states of open reports.
const FIGURES = `WITH filed AS (
    SELECT first_claimed_at - created_at AS claim,
      CASE WHEN status <> ALL($3::text[]) THEN status_at - created_at END
        AS settlement
    FROM report WHERE created_at >= $1 AND created_at < $2
  ) SELECT count(*) AS reports, count(claim) AS claimed,
    count(settlement) AS settled, ${times('claim')} AS to_first_claim,
    ${times('settlement')} AS to_decision,
    (SELECT json_build_object(
        'hour', count(*) FILTER (WHERE ${younger(HOUR_MS)}),
        'day', count(*) FILTER (WHERE ${younger(DAY_MS)}
          AND NOT ${younger(HOUR_MS)}),
        'week', count(*) FILTER (WHERE ${younger(7 * DAY_MS)}
          AND NOT ${younger(DAY_MS)}),
        'older', count(*) FILTER (WHERE NOT ${younger(7 * DAY_MS)}))
      FROM report WHERE created_at < $2
        AND (status = ANY($3::text[]) OR status_at >= $2)) AS open_by_age,
    (SELECT coalesce(json_agg(g), '[]') FROM (
      SELECT action, stays_hidden, operator, count(*) AS count FROM decision
      WHERE decided_at >= $1 AND decided_at < $2
      GROUP BY action, stays_hidden, operator
      ORDER BY count DESC, action, operator LIMIT ${GROUPS_MAX}) g)
      AS decisions,
    (SELECT count(*) FROM decision d JOIN decision s ON s.id = d.supersedes
      WHERE d.decided_at >= $1 AND d.decided_at < $2 AND ${REVERSED})
      AS reversals
  FROM filed`;

/** `end` is exclusive, both in ms. */
export async function responseFigures(
  sql: Sql,
  { start, end }: { start: number; end: number },
): Promise<ResponseFigures> {
  const values = [start, end, OPEN_REPORTS];
  return only(await sql.query<ResponseFigures>(FIGURES, values));
}
