import os from 'node:os';
import { Lab, type LabOptions } from './lab/lab.js';
import { machine, type Results, type RowResult } from './report/results.js';
import { CannotRun, type Row } from './row.js';

/**
 * Measures rows one after the other. One that cannot be measured, or that
 * failed, stands in the results with its reason; the others go on. What was
 * under way when the run is interrupted is left out.
 */
export async function run(
  rows: readonly Row[],
  options: LabOptions,
): Promise<Results> {
  const lab = await Lab.open(options);
  const results: Results = {
    date: new Date().toISOString(),
    short: options.short,
    machine: machine(await lab.cluster.version()),
    rows: [],
  };
  try {
    for (const row of rows) {
      const result = await measure(row, lab);
      if (options.signal?.aborted) break;
      results.rows.push(result);
    }
    return results;
  } finally {
    await lab.stop();
  }
}

async function measure(row: Row, lab: Lab): Promise<RowResult> {
  const { progress, size } = lab.options;
  const begun = performance.now();
  progress.note(`${row.id}: ${row.work}`);
  const outcome = await row
    .run(lab)
    .catch((error: Error) => ({
      figures: [],
      notes: [],
      skipped: reasonOf(error, progress),
    }))
    .finally(() => lab.tidy());
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  const load = Math.round((os.loadavg()[0] ?? 0) * 10) / 10;
  const { id, section, work } = row;
  const at = new Date().toISOString();
  return { id, section, work, at, seconds, size, load, ...outcome };
}

/** A fault of the bench is told whole, and in the table by its first line. */
function reasonOf(error: Error, progress: LabOptions['progress']): string {
  if (error instanceof CannotRun) return error.message;
  progress.note(error.stack ?? error.message);
  return `it failed: ${error.message.split('\n', 1)[0]}`;
}
