import { rateLimited } from '../db/budgets.js';
import type { Sql } from '../db/sql.js';
import type { BoardError } from '../errors.js';
import type { Limits } from '../limits.js';

const HOUR_S = 3600;

/**
 * The refusal when the board holds as many open polls as it may (spec/board.md
 * §6.6), else null. Exact under the head lock, which every opening holds.
 */
export async function openPollsRefusal(
  sql: Sql,
  limits: Limits,
  now: number,
): Promise<BoardError | null> {
  const most = limits.open_polls_max;
  const [row] = await sql.query<{ open: number; free_at: number | null }>(
    `SELECT cardinality(deadlines) AS open,
       deadlines[cardinality(deadlines) - $2::int + 1] AS free_at
     FROM (SELECT ARRAY(SELECT closes_at FROM poll
       WHERE closed_at IS NULL AND closes_at > $1 ORDER BY closes_at
     ) AS deadlines) AS polls`,
    [now, most],
  );
  if (row === undefined || row.open < most) return null;
  const seconds =
    row.free_at === null ? HOUR_S : Math.ceil((row.free_at - now) / 1000);
  return rateLimited({
    limit: 'open_polls_max',
    retryAfterSeconds: Math.max(1, seconds),
  });
}
