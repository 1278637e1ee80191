import type { Database } from '../db/sql.js';

const BATCH = 100;

/**
 * Moves texts that an earlier release indexed to the index of today, a few in
 * each statement: search finds a row in one of them at any moment.
 */
export async function convertSearch(
  writes: Pick<Database, 'query'>,
  goesOn: () => boolean,
): Promise<number> {
  let total = 0;
  while (goesOn()) {
    const rows = await writes.query(
      `UPDATE message_search SET grams = NULL WHERE message_id = ANY(ARRAY(
         SELECT message_id FROM message_search WHERE grams IS NOT NULL
         ORDER BY message_id LIMIT ${BATCH}))
       RETURNING message_id`,
    );
    total += rows.length;
    if (rows.length < BATCH) break;
  }
  return total;
}
