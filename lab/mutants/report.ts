import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Verdict } from './judge.js';
import { MUTANTS } from './list.js';
import type { Mutant } from './mutant.js';
import { filesOf, ROOT } from './patch.js';
import { keepResults, type Result } from './results.js';

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
  return {
    id: mutant.id,
    class: mutant.class,
    outcome,
    failed,
    tests,
    seconds,
  };
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
  const rows = await Promise.all(
    MUTANTS.map((mutant) => row(mutant, known.get(mutant.id))),
  );
  const text = `# Planted bugs

${summary}: each was planted alone, and every test file that
has to see it failed by an assertion. Made by \`npm run faults:mutants\`; the bugs
are the patches in \`lab/mutants\`, the classes those of the fault plan.

| bug | class | planted in | tests that failed | the first of them | date | commit |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
  await writeFile(path.join(ROOT, 'lab', 'reports', 'mutants.md'), text);
  return summary;
}

async function row(mutant: Mutant, result?: Result): Promise<string> {
  const files = await filesOf(mutant);
  const told =
    result?.outcome === 'caught'
      ? `${result.failed} of ${result.tests}`
      : (result?.outcome ?? 'not tried yet');
  const cells = [
    mutant.bug,
    mutant.class,
    files.map((file) => `\`${file}\``).join(', '),
    told,
    result?.why ?? '',
    result?.date ?? '–',
    result?.commit ?? '–',
  ];
  return `| ${cells.map((cell) => cell.replace(/[|\n]/g, ' ')).join(' | ')} |`;
}
