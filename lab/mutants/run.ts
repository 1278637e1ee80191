import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { commitOf } from '../source.js';
import { broken, isOf, judge, type Verdict } from './judge.js';
import {
  applyPatch,
  caughtIn,
  filesOf,
  MUTANTS,
  type Mutant,
  ROOT,
} from './mutants.js';
import { endAll, runTests, whyUnloadable } from './run-tests.js';
import { makeScratch, type Scratch } from './scratch.js';

function oneLine(verdict: Verdict, done: number, all: number): string {
  const { mutant, outcome, failed, tests, seconds, why } = verdict;
  const place = `${String(done).padStart(String(all).length)}/${all}`;
  const told = `${place} ${outcome.padEnd(8)} ${mutant.id}`;
  return outcome === 'caught'
    ? `${told}: ${failed} of ${tests} tests failed, ${seconds.toFixed(0)} s`
    : `${told}: ${why}`;
}

function tableRow(verdict: Verdict): Record<string, string | number> {
  const { mutant, outcome, failed, tests } = verdict;
  const seconds = Math.round(verdict.seconds);
  const { id, class: of } = mutant;
  return { id, class: of, outcome, failed, tests, seconds };
}

/** Writes `lab/reports/mutants.md`: of each mutant the last run. */
async function writeReport(verdicts: readonly Verdict[]): Promise<string> {
  const known = await keepResults(verdicts, MUTANTS);
  const caught = [...known.values()].filter(
    ({ outcome }) => outcome === 'caught',
  );
  const summary = `${caught.length} of ${MUTANTS.length} planted bugs were caught`;
  const rows = MUTANTS.map((mutant) => row(mutant, known.get(mutant.id)));
  const text = `# Planted bugs

${summary}: each was planted alone, and every test file that
has to see it failed by an assertion. Made by \`npm run faults:mutants\`; the bugs
are the patches in \`lab/mutants\`, the classes those of the fault plan. A bug is
caught by \`npm test\` where one of its test files is among those (\`test/tiers.cjs\`).

| bug | class | planted in | caught by | tests that failed | the first of them | date | commit |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
  await writeFile(path.join(ROOT, 'lab', 'reports', 'mutants.md'), text);
  return summary;
}

function row(mutant: Mutant, result?: Result): string {
  const told =
    result?.outcome === 'caught'
      ? `${result.failed} of ${result.tests}`
      : (result?.outcome ?? 'not tried yet');
  const cells = [
    mutant.bug,
    mutant.class,
    filesOf(mutant)
      .map((file) => `\`${file}\``)
      .join(', '),
    `\`${caughtIn(mutant)}\``,
    told,
    result?.why ?? '',
    result?.date ?? '–',
    result?.commit ?? '–',
  ];
  return `| ${cells.map((cell) => cell.replace(/[|\n]/g, ' ')).join(' | ')} |`;
}

type Result = Pick<Verdict, 'outcome' | 'why' | 'failed' | 'tests'> & {
  id: string;
  /** SHA-256 of its diff: a bug whose diff has changed was not tried yet. */
  patch: string;
  date: string;
  commit: string;
};

const FILE = path.join(ROOT, 'lab', 'reports', 'mutants.json');

function hashOf({ diff }: Mutant): string {
  return createHash('sha256').update(diff).digest('hex');
}

async function keepResults(
  verdicts: readonly Verdict[],
  mutants: readonly Mutant[],
): Promise<Map<string, Result>> {
  const text = await readFile(FILE, 'utf8');
  const kept = new Map(
    (JSON.parse(text) as Result[]).map((result) => [result.id, result]),
  );
  const date = new Date().toISOString().slice(0, 10);
  const commit = await commitOf(ROOT);
  for (const { mutant, outcome, why, failed, tests } of verdicts) {
    const { id } = mutant;
    const patch = hashOf(mutant);
    const result = { id, outcome, failed, tests, why, patch, date, commit };
    kept.set(id, result);
  }
  const known = new Map<string, Result>();
  for (const mutant of mutants) {
    const result = kept.get(mutant.id);
    if (result?.patch === hashOf(mutant)) known.set(mutant.id, result);
  }
  const rows = [...known.values()];
  await writeFile(FILE, `${JSON.stringify(rows, null, 2)}\n`);
  return known;
}

/** Milliseconds for the tests of one mutant, and for all of them before. */
const LIMIT_MS = 240_000;
const UNMUTATED_MS = 1_800_000;

const stopping = new AbortController();

async function tried(scratch: Scratch, mutant: Mutant): Promise<Verdict> {
  try {
    await applyPatch(mutant, scratch.tree, 'plant');
  } catch (error) {
    return broken(mutant, (error as Error).message);
  }
  try {
    const why = await whyUnloadable(scratch, filesOf(mutant));
    if (why !== null) return broken(mutant, `it cannot be loaded: ${why}`);
    return judge(mutant, await runTests(scratch, mutant.caughtBy, LIMIT_MS));
  } finally {
    await applyPatch(mutant, scratch.tree, 'take out');
  }
}

/** Those that fail without a planted bug: their failing proves nothing. */
async function unsoundFiles(
  scratches: readonly Scratch[],
  mutants: readonly Mutant[],
): Promise<Set<string>> {
  const files = [...new Set(mutants.flatMap(({ caughtBy }) => caughtBy))];
  console.log(`${files.length} test files without a planted bug …`);
  const unsound = await Promise.all(
    scratches.map(async (scratch, at) => {
      const own = files.filter((_, nth) => nth % scratches.length === at);
      if (own.length === 0) return [];
      const run = await runTests(scratch, own, UNMUTATED_MS);
      const failures = run.outcomes.filter(({ passed }) => !passed);
      const passed = run.outcomes.length - failures.length;
      console.log(`${passed} tests passed, ${run.seconds.toFixed(0)} s`);
      for (const { title, error } of failures) console.log(title, error);
      if (!run.ended || passed === 0) console.log(run.output);
      return own.filter(
        (file) => !run.ended || failures.some((one) => isOf(one, file)),
      );
    }),
  );
  return new Set(unsound.flat());
}

async function triedAll(
  scratches: readonly Scratch[],
  mutants: readonly Mutant[],
  unsound: ReadonlySet<string>,
): Promise<Verdict[]> {
  const left = [...mutants];
  const verdicts: Verdict[] = [];
  await Promise.all(
    scratches.map(async (scratch) => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const blind = one.caughtBy.filter((file) => unsound.has(file));
        const verdict =
          blind.length === 0
            ? await tried(scratch, one)
            : broken(one, `${blind.join(', ')} fails without it as well`);
        if (stopping.signal.aborted) return;
        verdicts.push(verdict);
        console.log(oneLine(verdict, verdicts.length, mutants.length));
      }
    }),
  );
  return verdicts.sort((a, b) => (a.mutant.id < b.mutant.id ? -1 : 1));
}

/** `--only <id>,…` (or numbers) and `--jobs <n>`. @throws Error for others. */
function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      jobs: { type: 'string', default: '1' },
    },
  });
  const jobs = Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new Error('--jobs takes a whole number from 1');
  if (values.only.length === 0) return { mutants: MUTANTS, jobs };
  const mutants = values.only
    .flatMap((list) => list.split(','))
    .map((wanted) => {
      const found = MUTANTS.find(
        ({ id }) => id === wanted || id.split('-')[0] === wanted,
      );
      if (found === undefined) {
        throw new Error(`--only: no planted bug is named ${wanted}`);
      }
      return found;
    });
  return { mutants, jobs };
}

async function main(): Promise<void> {
  const { mutants, jobs } = readOptions();
  const scratches: Scratch[] = [];
  let verdicts: Verdict[];
  try {
    for (let n = 0; n < Math.min(jobs, mutants.length); n += 1) {
      scratches.push(await makeScratch());
    }
    const unsound = await unsoundFiles(scratches, mutants);
    verdicts = await triedAll(scratches, mutants, unsound);
  } finally {
    endAll();
    for (const scratch of scratches) await scratch.remove();
  }
  if (stopping.signal.aborted) throw new Error('it was stopped');
  console.table(verdicts.map(tableRow));
  console.log(await writeReport(verdicts));
  if (verdicts.some(({ outcome }) => outcome !== 'caught')) {
    process.exitCode = 1;
  }
}

// Whatever runs is ended, and then what was made is removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stopping.abort();
    endAll();
  });
}
await main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 2;
});
