import { broken, judge, type Verdict } from './judge.js';
import type { Mutant } from './mutant.js';
import { readOptions } from './options.js';
import { applyPatch, filesOf } from './patch.js';
import { oneLine, summary, tableRow, writeReport } from './report.js';
import { endAll, runTests, whyUnloadable } from './run-tests.js';
import { makeScratch, type Scratch } from './scratch.js';

/** Milliseconds for the tests of one mutant, and for all of them before. */
const LIMIT_MS = 240_000;
const UNMUTATED_MS = 1_800_000;

const stopping = new AbortController();

/** Plants one bug, runs its tests, and takes it out again. */
async function tried(scratch: Scratch, mutant: Mutant): Promise<Verdict> {
  try {
    await applyPatch(mutant, scratch.tree, 'plant');
  } catch (error) {
    return broken(mutant, (error as Error).message);
  }
  try {
    const why = await whyUnloadable(scratch, await filesOf(mutant));
    if (why !== null) return broken(mutant, `it cannot be loaded: ${why}`);
    return judge(mutant, await runTests(scratch, mutant.caughtBy, LIMIT_MS));
  } finally {
    await applyPatch(mutant, scratch.tree, 'take out');
  }
}

/** The tests have to pass without a bug, or their failing proves nothing. */
async function assertSound(scratch: Scratch, mutants: readonly Mutant[]) {
  const files = [...new Set(mutants.flatMap(({ caughtBy }) => caughtBy))];
  console.log(`${files.length} test files without a planted bug …`);
  const { ended, failures, passed, seconds, output } = await runTests(
    scratch,
    files,
    UNMUTATED_MS,
  );
  if (ended && failures.length === 0 && passed > 0) {
    console.log(`${passed} tests passed, ${seconds.toFixed(0)} s`);
    return;
  }
  for (const { title, message } of failures) console.log(title, message);
  if (!ended) console.log(output);
  throw new Error('the tests fail without a planted bug');
}

/** Tries one mutant after the other on each copy of the tree. */
async function triedAll(
  scratches: readonly Scratch[],
  mutants: readonly Mutant[],
): Promise<Verdict[]> {
  const left = [...mutants];
  const verdicts: Verdict[] = [];
  await Promise.all(
    scratches.map(async (scratch) => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const verdict = await tried(scratch, one);
        if (stopping.signal.aborted) return;
        verdicts.push(verdict);
        console.log(oneLine(verdict, verdicts.length, mutants.length));
      }
    }),
  );
  return verdicts.sort((a, b) => (a.mutant.id < b.mutant.id ? -1 : 1));
}

async function main(): Promise<void> {
  const { mutants, all, jobs } = readOptions(process.argv.slice(2));
  const scratches: Scratch[] = [];
  let verdicts: Verdict[];
  try {
    for (let n = 0; n < Math.min(jobs, mutants.length); n += 1) {
      scratches.push(await makeScratch());
    }
    const [first] = scratches;
    if (first !== undefined) await assertSound(first, mutants);
    verdicts = await triedAll(scratches, mutants);
  } finally {
    endAll();
    for (const scratch of scratches) await scratch.remove();
  }
  if (stopping.signal.aborted) throw new Error('it was stopped');
  console.table(verdicts.map(tableRow));
  console.log(summary(verdicts));
  if (all) console.log(`written to ${await writeReport(verdicts)}`);
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
await main();
