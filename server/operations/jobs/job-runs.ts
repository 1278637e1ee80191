import type { Sql } from '../../db/sql.js';
import { type Rows, sumOf } from './job.js';

/** One run as the operators' page shows the last of each job. */
export type JobRun = {
  name: string;
  startedAt: number;
  durationMs: number;
  rows: Rows;
  /** Null when it went well. */
  error: string | null;
  /** The process that ran it. */
  instance: string;
};

/** When any process last began the job, in ms. */
export async function lastStart(
  sql: Sql,
  name: string,
): Promise<number | null> {
  const [row] = await sql.query<{ started_at: number }>(
    'SELECT started_at FROM job_run WHERE name = $1',
    [name],
  );
  return row?.started_at ?? null;
}

/** Keeps a run in the place of the one before it. */
export async function keepRun(sql: Sql, it: JobRun): Promise<void> {
  await sql.query(
    `INSERT INTO job_run AS r (name, started_at, duration_ms, rows, detail,
       error, failures, instance)
     VALUES ($1, $2, $3, $4, $5, $6::text, ($6 IS NOT NULL)::int, $7)
     ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at,
       duration_ms = excluded.duration_ms, rows = excluded.rows,
       detail = excluded.detail, error = excluded.error,
       failures = CASE WHEN excluded.error IS NULL THEN 0
         ELSE r.failures + 1 END,
       instance = excluded.instance`,
    [
      it.name,
      it.startedAt,
      it.durationMs,
      sumOf(it.rows),
      JSON.stringify(it.rows),
      it.error,
      it.instance,
    ],
  );
}
