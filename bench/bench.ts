import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { benchArguments, USAGE } from './arguments.js';
import { Progress } from './lab/progress.js';
import { textTable } from './report/table.js';
import { ROWS } from './rows/rows.js';
import { run } from './run.js';

/** Measures what the table of performance marks asks for; see README.md. */
async function main(): Promise<void> {
  const wanted = benchArguments(process.argv.slice(2));
  const { only, size, short, folder } = wanted;
  const unknown = only.filter((id) => ROWS.every((row) => row.id !== id));
  if (unknown.length > 0) {
    throw new Error(
      `no row is named ${unknown.join(', ')}; there are ${ROWS.map(({ id }) => id).join(', ')}`,
    );
  }
  const rows = ROWS.filter(({ id }) => only.length === 0 || only.includes(id));
  const stop = new AbortController();
  process.on('SIGINT', () => {
    process.stderr.write('\nStopping after this row …\n');
    stop.abort();
  });
  const progress = new Progress(process.stderr);
  const results = await run(
    rows,
    { folder, size, short, progress },
    stop.signal,
  );
  console.log(textTable(results.rows));
  for (const { id, notes } of results.rows) {
    for (const note of notes) console.log(`${id}: ${note}`);
  }
  if (short) return;
  const target = path.resolve('bench/results');
  await mkdir(target, { recursive: true });
  const file = path.join(
    target,
    `${results.date.replaceAll(':', '-').slice(0, 19)}.json`,
  );
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  console.log(`Written to ${path.relative('.', file)}`);
}

main().then(
  () => process.exit(),
  (error: Error) => {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(1);
  },
);
