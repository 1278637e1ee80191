import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { linesOf, type Outcome } from '../outcome.js';
import { commitOf } from '../source.js';
import { PLAN, type Row } from './plan.js';
import { render, sentence } from './render.js';
import {
  filesOf,
  type Profile,
  type Result,
  resultOf,
  titleOf,
} from './results.js';

export type FaultsOptions = {
  profile: Profile;
  /** Row ids; all rows when empty. */
  only: readonly string[];
  seed: number;
  /** Others use the machine: time limits get room. */
  shared: boolean;
  /** Leaves out the rows that this profile has on this commit already. */
  resume: boolean;
  root: string;
};

type Run = FaultsOptions & {
  commit: string;
  notes: string;
  env: NodeJS.ProcessEnv;
};

/**
 * Runs the rows of the fault plan, appends a line for each to
 * `lab/reports/faults.jsonl` and writes `reports/faults.md` and the README's
 * sentence anew.
 *
 * @returns whether no row failed
 */
export async function runFaults(options: FaultsOptions): Promise<boolean> {
  const { profile, only, seed, root } = options;
  const asked = PLAN.filter(
    ({ id, fullOnly }) =>
      (profile === 'full' || !fullOnly) &&
      (only.length === 0 || only.includes(id)),
  );
  if (asked.length === 0) throw new Error(`no row is named ${only.join()}`);
  const commit = await commitOf(root);
  const has = options.resume ? await rowsOf(root, commit, profile) : new Set();
  const rows = asked.filter(({ id }) => !has.has(id));
  console.log(
    `${rows.length} rows, profile ${profile}, seed ${seed}, commit ${commit}`,
  );
  const notes = await mkdtemp(path.join(tmpdir(), 'reserve-faults-run-'));
  const env = {
    ...process.env,
    SEED: String(seed),
    FAULTS_FULL: profile === 'full' ? '1' : '0',
    FAULTS_SHARED: options.shared ? '1' : '0',
    FAULTS_RECORDS: path.join(notes, 'records'),
    TEST_OUTCOMES: path.join(notes, 'outcomes'),
  };
  const run = { ...options, commit, notes, env };
  try {
    return await runRows(run, rows);
  } finally {
    await rm(notes, { recursive: true, force: true });
    await renderReports(options.root);
  }
}

async function rowsOf(
  root: string,
  commit: string,
  profile: Profile,
): Promise<Set<string>> {
  const done = new Set<string>();
  for (const one of await readResults(root)) {
    if (one.commit !== commit || one.profile !== profile) continue;
    if (one.result === 'fail') done.delete(one.row);
    else done.add(one.row);
  }
  return done;
}

/** Short: all files in two processes; full: row by row, for its figures. */
async function runRows(run: Run, rows: readonly Row[]): Promise<boolean> {
  const done = new Set<string>();
  const groups = run.profile === 'ci' ? [rows] : groupsOf(rows);
  let well = true;
  for (const group of groups) {
    const files = new Set(group.flatMap(filesOf));
    const fresh = [...files].filter((file) => !done.has(file));
    const titles = group.every(({ fullOnly }) => fullOnly)
      ? group.map(titleOf)
      : [];
    if (fresh.length > 0) await mocha(run, fresh, titles);
    for (const file of fresh) done.add(file);
    for (const row of group) {
      const result = await judged(run, row);
      if (result.result === 'fail') well = false;
      const { injected, because = '' } = result;
      console.log(`${row.id} ${result.result} ${injected} ${because}`);
    }
  }
  return well;
}

/** Rows of the full profile alone share what their file prepares. */
function groupsOf(rows: readonly Row[]): (readonly Row[])[] {
  const single = rows.filter(({ fullOnly }) => !fullOnly);
  const shared = rows.filter(({ fullOnly }) => fullOnly);
  return [...single.map((row) => [row]), ...(shared.length ? [shared] : [])];
}

async function mocha(
  run: Run,
  files: readonly string[],
  titles: readonly string[],
): Promise<void> {
  const { root, profile, env } = run;
  // The long versions are timed: a machine does one of them at a time.
  const alone = profile === 'full' ? ['--no-parallel'] : [];
  const child = spawn(
    process.execPath,
    [
      path.join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
      ...['--reporter', './lab/outcomes.cjs', ...alone],
      ...(titles.length === 0 ? [] : ['--grep', `(${titles.join('|')})`]),
      ...files.map((file) => path.join('test', file)),
    ],
    { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  await once(child, 'exit');
}

async function judged(run: Run, row: Row): Promise<Result> {
  const { env, root } = run;
  const outcomes = await linesOf<Outcome>(env.TEST_OUTCOMES);
  const records = await linesOf<Parameters<typeof resultOf>[3][number]>(
    env.FAULTS_RECORDS,
  );
  const result = resultOf(row, run, outcomes, records);
  const line = `${JSON.stringify(result)}\n`;
  await appendFile(path.join(root, 'lab', 'reports', 'faults.jsonl'), line);
  return result;
}

export async function readResults(root: string): Promise<Result[]> {
  return await linesOf<Result>(
    path.join(root, 'lab', 'reports', 'faults.jsonl'),
  );
}

const MARKED = /<!-- faults -->\n[\s\S]*?<!-- \/faults -->/;

export function withSentence(
  readme: string,
  results: readonly Result[],
): string {
  const lines = sentence(results).replace(/(.{1,76})(?: |$)/g, '$1\n');
  return readme.replace(MARKED, `<!-- faults -->\n${lines}<!-- /faults -->`);
}

/** Writes `lab/reports/faults.md` and the README's sentence from the results. */
export async function renderReports(root: string): Promise<void> {
  const results = await readResults(root);
  await writeFile(
    path.join(root, 'lab', 'reports', 'faults.md'),
    render(results),
  );
  const file = path.join(root, 'README.md');
  const readme = await readFile(file, 'utf8');
  await writeFile(file, withSentence(readme, results));
}
