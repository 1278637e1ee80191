// By hand: TypeORM has no advisory locks.
import { run } from '../../db/connection.sql.js';
import type { Database } from '../../db/sql.js';

const JOBS = 730_521;

/** Null when another process has it. The lock ends with its connection. */
export async function withAdvisoryLock<T>(
  db: Database,
  job: string,
  work: () => Promise<T>,
): Promise<T | null> {
  return await db.withClient(async (client) => {
    const [row] = await run<{ got: boolean }>(
      client,
      'SELECT pg_try_advisory_lock($1, hashtext($2)) AS got',
      [JOBS, job],
    );
    if (row?.got !== true) return null;
    try {
      return await work();
    } finally {
      await run(client, 'SELECT pg_advisory_unlock($1, hashtext($2))', [
        JOBS,
        job,
      ]);
    }
  });
}
