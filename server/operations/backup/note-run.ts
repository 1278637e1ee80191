import type { Sql } from '../../db/sql.js';
import type { BackupName } from './backup-notes.js';
import type { Manifest } from './manifest.js';

export type BackupRun = {
  name: BackupName;
  /** When it began, in ms. */
  startedAt: number;
  durationMs: number;
};

export function rowsIn({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

export function bytesIn({ tables }: Manifest): number {
  return tables.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Notes a backup, or a verified restore of one, beside the runs of the jobs:
 * the System page shows both and the watch looks at their age
 * (spec/operators.md §3, spec/operators.md §R8). Only what went well is noted,
 * so that a failed attempt does not hide the good one before it.
 */
export async function noteRun(
  sql: Sql,
  { name, startedAt, durationMs }: BackupRun,
  manifest: Manifest,
): Promise<void> {
  const detail = {
    made_at: manifest.made_at,
    bytes: bytesIn(manifest),
    log_size: manifest.log.size,
  };
  await sql.query(
    `INSERT INTO job_run (name, started_at, duration_ms, rows, detail, error,
       failures, instance)
     VALUES ($1, $2, $3, $4, $5, NULL, 0, 'command line')
     ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at,
       duration_ms = excluded.duration_ms, rows = excluded.rows,
       detail = excluded.detail, error = NULL, failures = 0,
       instance = excluded.instance`,
    [name, startedAt, durationMs, rowsIn(manifest), JSON.stringify(detail)],
  );
}
