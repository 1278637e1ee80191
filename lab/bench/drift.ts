import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../../server/db/embedded/reach.js';
import { type Source, sourceOf } from '../source.js';
import {
  type Baseline,
  bestOf,
  compare,
  driftTable,
  type Found,
  type KeptFigure,
} from './drift/compare.js';
import { median } from './load/figures.js';
import { machine } from './report/results.js';
import type { Row } from './row.js';
import { ROWS } from './rows/rows.js';
import { run } from './run.js';
import { DRIFT } from './set-up/pace.js';
import { Progress } from './set-up/progress.js';

/** Messages of the data set, which every measurement makes for itself. */
const SIZE = 1000;

type DriftOptions = { source: Source; progress: Progress; signal: AbortSignal };

async function measureDrift(
  rows: readonly Row[],
  { source, progress, signal }: DriftOptions,
): Promise<Found> {
  const name = path.join(temporaryFolder(), 'reserve-drift-');
  const folder = await mkdtemp(name);
  const how = { size: SIZE, short: false };
  const options = { ...how, folder, pace: DRIFT, progress, signal };
  const date = new Date().toISOString();
  try {
    const begun = { ...source, ...how, date, full: false };
    const results = await run(rows, options, begun);
    signal.throwIfAborted();
    return new Map(
      results.rows.flatMap(({ id, figures }) =>
        figures.map(({ what, value, ratio }): [string, number] => [
          `${id} ${what}`,
          ratio ?? value,
        ]),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ends with 1 where one is worse than drift.json tolerates. */
const FILE = 'lab/bench/drift.json';
/** Machines are shared: a figure that misses is measured so often, at most. */
const ATTEMPTS = 3;
/** A baseline is the median of so many measurements. */
const WRITTEN_OF = 3;

const rowsOf = (figures: readonly KeptFigure[]): Row[] =>
  ROWS.filter(({ id }) =>
    figures.some(({ name }) => name.startsWith(`${id} `)),
  );

async function check(
  { figures }: Baseline,
  options: DriftOptions,
): Promise<void> {
  let best: Found = new Map();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const missed = compare(figures, best).filter(({ ok }) => !ok);
    if (missed.length === 0) break;
    const rows = rowsOf(missed.map(({ figure }) => figure));
    best = bestOf(figures, best, await measureDrift(rows, options));
  }
  const compared = compare(figures, best);
  console.log(driftTable(compared));
  const worse = compared.filter(({ ok }) => !ok);
  if (worse.length === 0) return;
  const names = worse.map(({ figure: { name, why } }) => `${name} (${why})`);
  throw new Error(`worse than the baseline: ${names.join('; ')}`);
}

async function write(before: Baseline, options: DriftOptions): Promise<void> {
  const found: Found[] = [];
  for (let n = 0; n < WRITTEN_OF; n += 1) {
    found.push(await measureDrift(rowsOf(before.figures), options));
  }
  const figures = before.figures.map((figure) => {
    const values = found.map((one) => one.get(figure.name));
    const known = values.filter((value) => value !== undefined);
    if (known.length < WRITTEN_OF) throw new Error(`no figure ${figure.name}`);
    return { ...figure, value: median(known) };
  });
  const { cpu, cores, node } = machine('');
  const { commit, dirty } = options.source;
  const baseline: Baseline = {
    date: new Date().toISOString().slice(0, 10),
    commit: dirty ? `${commit} with local changes` : commit,
    machine: `${cpu}, ${cores} cores, Node ${node}`,
    figures,
  };
  await writeFile(FILE, `${JSON.stringify(baseline, null, 2)}\n`);
  const written = new Map(figures.map(({ name, value }) => [name, value]));
  console.log(driftTable(compare(figures, written)));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { write: { type: 'boolean', default: false } },
  });
  const baseline = JSON.parse(await readFile(FILE, 'utf8')) as Baseline;
  const stop = new AbortController();
  process.on('SIGINT', () => stop.abort());
  const progress = new Progress(process.stderr);
  const source = await sourceOf('lab/bench');
  const options = { source, progress, signal: stop.signal };
  await (values.write ? write : check)(baseline, options);
}

main().then(
  () => process.exit(),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
