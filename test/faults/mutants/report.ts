import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Verdict } from './judge.js';
import { filesOf, ROOT } from './patch.js';

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

export function summary(verdicts: readonly Verdict[]): string {
  const caught = verdicts.filter(({ outcome }) => outcome === 'caught');
  return `${caught.length} of ${verdicts.length} planted bugs were caught`;
}

/** Writes `reports/mutants.md`; of a run of all, so that it never shrinks. */
export async function writeReport(
  verdicts: readonly Verdict[],
): Promise<string> {
  const rows = await Promise.all(verdicts.map(row));
  const text = `# Planted bugs

${summary(verdicts)}: each was planted alone, and tests of the suite failed by an
assertion. Made by \`npm run faults:mutants\`; the bugs are the patches in
\`test/faults/mutants\`, the classes those of the fault plan.

| bug | class | planted in | outcome | first test that failed |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
  const file = path.join(ROOT, 'reports', 'mutants.md');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

async function row(verdict: Verdict): Promise<string> {
  const { mutant, outcome, failed, tests, why } = verdict;
  const files = await filesOf(mutant);
  const told = outcome === 'caught' ? `${failed} of ${tests} failed` : outcome;
  const cells = [
    mutant.bug,
    mutant.class,
    files.map((file) => `\`${file}\``).join(', '),
    told,
    why,
  ];
  return `| ${cells.map((cell) => cell.replace(/[|\n]/g, ' ')).join(' | ')} |`;
}
