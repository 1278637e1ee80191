import { JobRun } from '../db/entities/operations.js';
import { noteEvent } from '../db/note-event.js';
import type { Database } from '../db/sql.js';

/**
 * Replaces the last run. Notes an event only where it `tells` something:
 * frequent idle jobs would push out events that dashboards have yet to read.
 */
export async function recordRun(
  db: Database,
  run: JobRun,
  tells = true,
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = { ...run, detail: run.detail as object };
    await tx.manager.upsert(JobRun, row, ['name']);
    if (!tells) return;
    await noteEvent(tx, 'job', {
      name: run.name,
      started_at: run.startedAt,
      duration_ms: run.durationMs,
      rows: run.rows,
      error: run.error,
    });
  }, false);
}
