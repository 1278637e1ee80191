import type { QueryResultRow } from 'pg';
import type { Database } from '../../server/db/sql.js';

/** A plan for all of so many logs costs less than one made for each page. */
export const FEW = 12;

/**
 * Asks without a name, and so with a plan for these very values: of the
 * partitions it knows those of the logs that the values name.
 */
export async function planned<Row extends QueryResultRow>(
  db: Database,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return await db.withClient(async (client) => {
    const { rows } = await client.query<Row>(text, [...values]);
    return rows;
  });
}
