import { parseArgs } from 'node:util';
import { broken, isOf, judge, type Verdict } from './judge.js';
import { applyPatch, filesOf, MUTANTS, type Mutant } from './mutants.js';
import { oneLine, tableRow, writeReport } from './report.js';
import { endAll, runTests, whyUnloadable } from './run-tests.js';
import { makeScratch, type Scratch } from './scratch.js';

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

/**
 * The test files that fail without a planted bug: there their failing proves
 * nothing.
 */
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

/** Tries one mutant after the other on each copy of the tree. */
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

/**
 * `--only <id>` (its number will do; more by commas, or given again) and
 * `--jobs <n>`, how many run at once.
 * @throws Error for what is none.
 */
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
