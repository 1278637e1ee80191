import os from 'node:os';
import { machine, type Results, type RowResult } from './report/results.js';
import { CannotRun, type Figure, type Outcome, type Row } from './row.js';
import { Lab, type LabOptions } from './set-up/lab.js';

export type Beginning = Omit<Results, 'rows' | 'machine'> & {
  /** Of an interrupted run that is continued. */
  rows?: RowResult[];
  onRow?: (results: Results) => Promise<unknown>;
};

/**
 * Measures rows one after the other. One that cannot be measured, or that
 * failed, is in the results with its reason; the others go on. What was
 * under way when the run is interrupted is left out.
 */
export async function run(
  rows: readonly Row[],
  options: LabOptions,
  { rows: before = [], onRow, ...beginning }: Beginning,
): Promise<Results> {
  const lab = await Lab.open(options);
  const results: Results = {
    ...beginning,
    machine: machine(await lab.cluster.version()),
    rows: before.filter(({ id }) => !rows.some((row) => row.id === id)),
  };
  try {
    for (const row of rows) {
      const result = await measure(row, lab);
      if (options.signal?.aborted) break;
      results.rows.push(result);
      await onRow?.(results);
    }
    return results;
  } finally {
    await lab.stop();
  }
}

type Attempt = Outcome & { skipped?: string };

async function measure(row: Row, lab: Lab): Promise<RowResult> {
  const { progress, pace } = lab.options;
  const begun = performance.now();
  progress.note(`${row.id}: ${row.work}`);
  const outcome = await attempt(row, lab);
  if (outcome.skipped === undefined && pace.offRounds > 0) {
    await addWithoutFastPaths(row, lab, outcome);
  }
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  const load = Math.round((os.loadavg()[0] ?? 0) * 10) / 10;
  const { id, section, work } = row;
  const at = new Date().toISOString();
  return { id, section, work, at, seconds, load, ...outcome };
}

async function attempt(row: Row, lab: Lab): Promise<Attempt> {
  const { progress } = lab.options;
  return await row
    .run(lab)
    .catch((error: Error) => ({
      figures: [],
      notes: [],
      skipped: reasonOf(error, progress),
    }))
    .finally(() => lab.tidy());
}

async function addWithoutFastPaths(row: Row, lab: Lab, outcome: Outcome) {
  const { figures, notes } = outcome;
  if (row.sameWithoutFastPaths !== undefined) {
    notes.push(`not measured twice: ${row.sameWithoutFastPaths}`);
    return;
  }
  lab.fastPaths = 'off';
  lab.options.progress.note(`${row.id}: with FAST_PATHS=off`);
  const off = await attempt(row, lab);
  lab.fastPaths = 'on';
  if (off.skipped !== undefined) {
    notes.push(`with FAST_PATHS=off: ${off.skipped}`);
  }
  for (const figure of figures) {
    const same = off.figures.find(({ what }) => what === figure.what);
    if (same !== undefined) figure.off = amountsOf(same);
  }
}

function amountsOf({ value, ratio }: Figure): NonNullable<Figure['off']> {
  return ratio === undefined ? { value } : { value, ratio };
}

/** A fault of the bench is told whole, and in the table by its first line. */
function reasonOf(error: Error, progress: LabOptions['progress']): string {
  if (error instanceof CannotRun) return error.message;
  progress.note(error.stack ?? error.message);
  return `it failed: ${error.message.split('\n', 1)[0]}`;
}
