import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commitOf } from '../source.js';
import type { Verdict } from './judge.js';
import { caughtIn, filesOf, MUTANTS, type Mutant, ROOT } from './mutants.js';

export function oneLine(verdict: Verdict, done: number, all: number): string {
  const { mutant, outcome, failed, tests, seconds, why } = verdict;
  const place = `${String(done).padStart(String(all).length)}/${all}`;
  const told = `${place} ${outcome.padEnd(8)} ${mutant.id}`;
  return outcome === 'caught'
    ? `${told}: ${failed} of ${tests} tests failed, ${seconds.toFixed(0)} s`
    : `${told}: ${why}`;
}

export function tableRow(verdict: Verdict): Record<string, string | number> {
  const { mutant, outcome, failed, tests } = verdict;
  const seconds = Math.round(verdict.seconds);
  const { id, class: of } = mutant;
  return { id, class: of, outcome, failed, tests, seconds };
}

/** Writes `lab/reports/mutants.md`: of each mutant the last run. */
export async function writeReport(
  verdicts: readonly Verdict[],
): Promise<string> {
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
  /** SHA-256 of its diff: a bug that was planted anew was not tried yet. */
  patch: string;
  /** Day of the run, UTC. */
  date: string;
  /** The tree that it was planted in. */
  commit: string;
};

const FILE = path.join(ROOT, 'lab', 'reports', 'mutants.json');

function hashOf({ diff }: Mutant): string {
  return createHash('sha256').update(diff).digest('hex');
}

/** Adds verdicts to those kept, and gives what is known of each mutant. */
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
