// By hand: counts with filters over the partitions of several logs.
import type { Sql } from '../../server/db/sql.js';

export type TextCounts = { texts: number; guests: number; only_here: number };

/**
 * In all generations.
 * @param elsewhere entries that another board has; guests' texts always count
 *   as only here
 */
export async function textsOf(
  sql: Sql,
  { originId, name }: { originId: number; name: string },
  elsewhere: number,
): Promise<TextCounts> {
  const [row] = await sql.query<TextCounts>(
    `SELECT count(*) AS texts,
       count(*) FILTER (WHERE m.agent_id IS NULL) AS guests,
       count(*) FILTER (WHERE m.agent_id IS NULL OR m.origin_id <> $1
         OR m.log_index >= $3) AS only_here
     FROM mirror_message m
     WHERE m.status = 'ok' AND m.origin_id IN (
       SELECT $1 UNION SELECT origin_id FROM log_state
       WHERE board = $2 AND origin_id > 0 AND closed_at IS NULL)`,
    [originId, name, elsewhere],
  );
  return row ?? { texts: 0, guests: 0, only_here: 0 };
}
