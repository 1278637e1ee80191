import path from 'node:path';
import { type BenchArguments, benchArguments, USAGE } from './arguments.js';
import { Progress } from './lab/progress.js';
import { textTable } from './report/table.js';
import { keep, writeReport } from './report/write-report.js';
import { ROWS } from './rows/rows.js';
import { run } from './run.js';

const FOLDER = 'bench';
const IDS = ROWS.map(({ id }) => id);

function asked(): BenchArguments {
  try {
    return benchArguments(process.argv.slice(2));
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`);
  }
}

/** Measures what the table of performance marks asks for; see README.md. */
async function main(): Promise<void> {
  const { only, size, short, render, folder } = asked();
  if (render) return await writeReport(FOLDER, IDS);
  const unknown = only.filter((id) => !IDS.includes(id));
  if (unknown.length > 0) {
    throw new Error(`no row is named ${unknown}; there are ${IDS.join(', ')}`);
  }
  const rows = ROWS.filter(({ id }) => only.length === 0 || only.includes(id));
  const progress = new Progress(process.stderr);
  const stop = new AbortController();
  process.on('SIGINT', () => {
    // Left so, the database goes on, and the next run finds it.
    if (stop.signal.aborted) process.exit(130);
    progress.note('Stopping …');
    stop.abort();
  });
  const { signal } = stop;
  const options = { folder, size, short, progress, signal };
  const results = await run(rows, options);
  console.log(textTable(results.rows));
  for (const { id, notes } of results.rows) {
    for (const note of notes) console.log(`${id}: ${note}`);
  }
  if (short || results.rows.length === 0) return;
  console.log(`Kept as ${path.relative('.', await keep(FOLDER, results))}`);
  await writeReport(FOLDER, IDS);
}

main().then(
  () => process.exit(),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
