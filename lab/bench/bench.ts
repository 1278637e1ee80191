import path from 'node:path';
import { sourceOf } from '../source.js';
import { type BenchArguments, benchArguments, USAGE } from './arguments.js';
import { writeReport } from './report/markdown.js';
import { keep, latestRun, machine, type Results } from './report/results.js';
import { textTable } from './report/table.js';
import { ROWS } from './rows/rows.js';
import { type Beginning, run } from './run.js';
import { FULL, TRIAL } from './set-up/pace.js';
import { Progress } from './set-up/progress.js';

const FOLDER = 'lab/bench';
const PAGE = 'docs/performance.md';

function asked(): BenchArguments {
  try {
    return benchArguments(process.argv.slice(2));
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`);
  }
}

/** What the run is: a new one, or the one that `--resume` continues. */
async function beginningOf(args: BenchArguments): Promise<Beginning> {
  const { only, size, short, resume } = args;
  const source = await sourceOf(FOLDER);
  const { cpu, cores } = machine('');
  const full = only.length === 0;
  const date = new Date().toISOString();
  const begun = { ...source, date, short, full, size };
  if (!resume) return begun;
  const before = await latestRun(
    FOLDER,
    (one) =>
      one.commit === source.commit &&
      one.dirty === source.dirty &&
      one.size === size &&
      one.machine.cpu === cpu &&
      one.machine.cores === cores,
  );
  if (before === null) {
    throw new Error('there is no run of this commit, size and machine');
  }
  return { ...before, full: before.full || full };
}

async function main(): Promise<void> {
  const args = asked();
  const { only, size, short, folder } = args;
  if (args.render) return await writeReport(FOLDER, PAGE, ROWS);
  const unknown = only.filter((id) => !ROWS.some((row) => row.id === id));
  if (unknown.length > 0) {
    const all = ROWS.map(({ id }) => id).join(', ');
    throw new Error(`no row is named ${unknown}; there are ${all}`);
  }
  const beginning = await beginningOf(args);
  const has = (id: string) =>
    beginning.rows?.some(
      (row) => row.id === id && row.skipped === undefined,
    ) === true;
  const rows = ROWS.filter(({ id }) =>
    only.length === 0 ? !has(id) : only.includes(id),
  );
  const progress = new Progress(process.stderr);
  const stop = new AbortController();
  process.on('SIGINT', () => {
    // Left so, the database goes on, and the next run finds it.
    if (stop.signal.aborted) process.exit(130);
    progress.note('Stopping …');
    stop.abort();
  });
  const { signal } = stop;
  const pace = short ? TRIAL : FULL;
  const onRow = async (results: Results) => {
    if (!short) await keep(FOLDER, results);
  };
  const options = { folder, size, pace, short, progress, signal };
  const results = await run(rows, options, { ...beginning, onRow });
  console.log(textTable(results.rows));
  for (const { id, notes } of results.rows) {
    for (const note of notes) console.log(`${id}: ${note}`);
  }
  if (short || results.rows.length === 0) return;
  console.log(`Kept as ${path.relative('.', await keep(FOLDER, results))}`);
  if (results.full) await writeReport(FOLDER, PAGE, ROWS);
}

main().then(
  () => process.exit(),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
