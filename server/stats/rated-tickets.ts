import type { Sql } from '../db/sql.js';

/**
 * How many of the published tickets carried a rating. Their answers say so to
 * their senders only; telemetry asks the drafts, behind the requests.
 */
export async function countRated(
  sql: Sql,
  tickets: readonly Buffer[],
): Promise<number> {
  if (tickets.length === 0) return 0;
  const [row] = await sql.query<{ rated: number }>(
    `SELECT count(*) AS rated FROM ticket
     WHERE ticket_hash = ANY($1::bytea[]) AND kind = 'write'
       AND draft #>> '{submitted,vote}' IN ('1', '-1')`,
    [tickets],
  );
  return row?.rated ?? 0;
}
