import { JobRun } from '../db/entities/operations.js';
import { noteEvent } from '../db/note-event.js';
import type { Database } from '../db/sql.js';

/** Replaces the last run of its name, and notes the event. */
export async function recordRun(db: Database, run: JobRun): Promise<void> {
  await db.transaction(async (tx) => {
    const row = { ...run, detail: run.detail as object };
    await tx.manager.upsert(JobRun, row, ['name']);
    await noteEvent(tx, 'job', {
      name: run.name,
      started_at: run.startedAt,
      duration_ms: run.durationMs,
      rows: run.rows,
      error: run.error,
    });
  });
}
