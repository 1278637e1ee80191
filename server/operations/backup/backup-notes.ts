import type { JobRun } from '../../db/entities/operations.js';
import type { Database } from '../../db/sql.js';
import { recordRun } from '../record-run.js';
import type { Manifest } from './manifest.js';

/** The runs of the command line that are noted beside those of the jobs. */
type BackupName = 'backup' | 'verify_backup';

/** One of them as the database keeps it; times in ms. */
export type BackupNote = {
  /** When it ran. */
  at: number;
  /** When the backup was made that it is about. */
  made_at: number;
  bytes: number;
  log_size: number;
};

/** What the System page shows of backups (spec/operators.md §3). */
type BackupsSeen = {
  /** The last backup. */
  at: number;
  age_ms: number;
  bytes: number;
  /** Entries of the log in it. */
  log_size: number;
  /** When a backup last passed a trial restore; null for never. */
  verified_at: number | null;
  verified_made_at: number | null;
  /** Nothing made in the last 26 hours was verified: there is an alert. */
  overdue: boolean;
};

/**
 * A verified restore older than this raises an alert (spec/operators.md §R8).
 */
const VERIFIED_MS = 26 * 3_600_000;

/** The last run of a name as JSON, for a SELECT list; null for none. */
export function backupNote(name: BackupName): string {
  return `(SELECT json_build_object('at', j.started_at,
      'made_at', coalesce((j.detail ->> 'made_at')::bigint, j.started_at),
      'bytes', coalesce((j.detail ->> 'bytes')::bigint, 0),
      'log_size', coalesce((j.detail ->> 'log_size')::bigint, 0))
    FROM job_run j WHERE j.name = '${name}')`;
}

/**
 * Whether backups are made and the last verified one is too old: to verify an
 * old one again every night saves nothing.
 */
export function isOverdue(
  backup: BackupNote | null,
  verified: BackupNote | null,
  now: number,
): boolean {
  if (backup === null) return false;
  return (verified?.made_at ?? 0) < now - VERIFIED_MS;
}

/** Null as long as no backup was ever made: one that was verified was. */
export function backupsOf(
  noted: BackupNote | null,
  verified: BackupNote | null,
  now: number,
): BackupsSeen | null {
  // A restored database does not know of the backup that it came from.
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
 * Notes a backup, or a verified restore of one, beside the runs of the jobs:
 * the System page shows both and the watch looks at their age
 * (spec/operators.md §3, spec/operators.md §R8). Only what went well is noted,
 * so that a failed attempt does not hide the good one before it.
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
