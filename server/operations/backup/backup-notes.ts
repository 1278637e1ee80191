import type { JobRun } from '../../db/entities/operations.js';
import type { Database } from '../../db/sql.js';
import { recordRun } from '../record-run.js';
import type { Manifest } from './manifest.js';

type BackupName = 'backup' | 'verify_backup';

export type BackupNote = {
  /** When it ran, in ms. */
  at: number;
  /** When its backup was made, in ms. */
  made_at: number;
  bytes: number;
  log_size: number;
};

/** spec/operators.md §R8 */
const VERIFIED_MS = 26 * 3_600_000;

export function backupNote(name: BackupName): string {
  return `(SELECT json_build_object('at', j.started_at,
      'made_at', coalesce((j.detail ->> 'made_at')::bigint, j.started_at),
      'bytes', coalesce((j.detail ->> 'bytes')::bigint, 0),
      'log_size', coalesce((j.detail ->> 'log_size')::bigint, 0))
    FROM job_run j WHERE j.name = '${name}')`;
}

/** Verifying an old backup every night does not count. */
export function isOverdue(
  backup: BackupNote | null,
  verified: BackupNote | null,
  now: number,
): boolean {
  if (backup === null) return false;
  return (verified?.made_at ?? 0) < now - VERIFIED_MS;
}

/** Null where no backup was ever made. */
export function backupsOf(
  noted: BackupNote | null,
  verified: BackupNote | null,
  now: number,
) {
  // A restored database does not know its own backup.
  const backup = noted ?? (verified && { ...verified, at: verified.made_at });
  if (backup === null) return null;
  return {
    at: backup.at,
    age_ms: Math.max(0, now - backup.at),
    bytes: backup.bytes,
    log_size: backup.log_size,
    verified_at: verified?.at ?? null,
    verified_made_at: verified?.made_at ?? null,
    overdue: isOverdue(backup, verified, now),
  };
}

export function rowsIn({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

export function bytesIn({ tables }: Manifest): number {
  return tables.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Beside job runs, for the System page and the alert (spec/operators.md §3,
 * §R8). Only successes, so that a failure does not hide the last good one.
 */
export async function noteRun(
  db: Database,
  run: Pick<JobRun, 'startedAt' | 'durationMs'> & { name: BackupName },
  manifest: Manifest,
): Promise<void> {
  const detail = {
    made_at: manifest.made_at,
    bytes: bytesIn(manifest),
    log_size: manifest.log.size,
  };
  await recordRun(db, {
    ...run,
    rows: rowsIn(manifest),
    detail,
    error: null,
    failures: 0,
    instance: 'command line',
  });
}
