import type { Database } from '../../../server/db/sql.js';

const FIRST = 512;
const STEP = 8;
/** Of the usual 100: a sample of 3,000 rows says how large a table is. */
const TARGET = 10;
const GROWING = ['log_entry', 'log_node', 'mirror_message'];

/**
 * Lets the planner look at the tables of a mirrored log each time the log has
 * grown eightfold: a connection keeps the plan of a statement, and one made
 * for an empty table may walk a whole index to find a row. The database's own
 * look comes a minute later, when a backfill has brought 100,000 entries.
 */
export async function refreshStatistics(
  db: Database,
  originId: number,
  before: number,
  after: number,
): Promise<void> {
  if (!isPassed(before, after)) return;
  const tables = GROWING.map((table) => `${table}_${originId}`).join(', ');
  try {
    // Two statements in one message are one transaction.
    const look = `SET LOCAL default_statistics_target = ${TARGET}; ANALYZE ${tables}`;
    await db.withClient((client) => client.query(look));
  } catch {
    // What was stored stays stored; the database's own look comes in any case.
  }
}

/** True where one of 512, 4,096, 32,768 … lies above `before`, up to `after`. */
export function isPassed(before: number, after: number): boolean {
  let size = FIRST;
  while (size <= before) size *= STEP;
  return size <= after;
}
