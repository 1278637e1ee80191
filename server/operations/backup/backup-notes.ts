/** The runs of the command line that are noted beside those of the jobs. */
export type BackupName = 'backup' | 'verify_backup';

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
export type BackupsSeen = {
  /** The last backup. */
  at: number;
  age_ms: number;
  bytes: number;
  /** Entries of the log that it holds. */
  log_size: number;
  /** When a backup was last restored on trial; null for never. */
  verified_at: number | null;
  /** When that backup was made. */
  verified_made_at: number | null;
  /** Nothing made in the last 26 hours was verified: an alarm stands. */
  overdue: boolean;
};

/**
 * A verified restore older than this raises an alarm (spec/operators.md §R8).
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
 * Whether backups are made and the last that was verified is too old: an old
 * one that is verified again every night saves nobody.
 */
export function isOverdue(
  backup: BackupNote | null,
  verified: BackupNote | null,
  now: number,
): boolean {
  if (backup === null) return false;
  return (verified?.made_at ?? 0) < now - VERIFIED_MS;
}

/** Null as long as no backup was ever made. */
export function backupsOf(
  backup: BackupNote | null,
  verified: BackupNote | null,
  now: number,
): BackupsSeen | null {
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
