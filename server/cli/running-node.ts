import type { Sql } from '../db/sql.js';

/** Whether a node runs on this database. */
export async function isNodeRunning(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ running: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_stat_activity
       WHERE datname = current_database()
         AND application_name = 'reserve-board listener') AS running`,
  );
  return row?.running === true;
}
