import type { Sql } from '../../../server/db/sql.js';

/**
 * The mirrored logs of the board that a log is of, itself first, then its
 * other generations, the latest first.
 */
export async function logsOfBoard(
  sql: Sql,
  originId: number,
): Promise<number[]> {
  return [originId, ...(await formerLogs(sql, originId))];
}

/** The logs of a mirrored board's other generations, the latest first. */
export async function formerLogs(
  sql: Sql,
  originId: number,
): Promise<number[]> {
  const rows = await sql.query<{ origin_id: number }>(
    `SELECT f.origin_id FROM log_state s
       JOIN log_state f ON f.board = s.board AND f.origin_id <> s.origin_id
         AND f.origin_id > 0 AND f.closed_at IS NULL
     WHERE s.origin_id = $1 ORDER BY f.origin_id DESC`,
    [originId],
  );
  return rows.map(({ origin_id: former }) => former);
}
