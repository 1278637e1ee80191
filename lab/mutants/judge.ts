import path from 'node:path';
import type { Outcome } from '../outcome.js';
import type { Mutant } from './mutants.js';
import type { TestRun } from './run-tests.js';

/** `caught`: each file fails; `survived`: one passes; `broken`: no program. */
export type Verdict = {
  mutant: Mutant;
  outcome: 'caught' | 'survived' | 'broken';
  /** The first failed assertion, or why there is none. */
  why: string;
  failed: number;
  tests: number;
  seconds: number;
};

export function judge(
  mutant: Mutant,
  { outcomes, ended, seconds }: TestRun,
): Verdict {
  const failures = outcomes.filter(({ passed }) => !passed);
  const asserted = failures.filter((failure) => failure.asserted);
  const blind = mutant.caughtBy.filter(
    (file) => !asserted.some((failure) => isOf(failure, file)),
  );
  const [first] = asserted;
  const counts = { failed: failures.length, tests: outcomes.length, seconds };
  if (blind.length === 0 && first !== undefined) {
    return { mutant, outcome: 'caught', why: first.title, ...counts };
  }
  const [other] = failures.map(({ title, error }) => ` (${title}: ${error})`);
  const notOver = ended ? '' : 'the run did not end in time; ';
  const why = `${notOver}no assertion failed in ${blind.join(', ')}${other?.slice(0, 400) ?? ''}`;
  return { mutant, outcome: 'survived', why, ...counts };
}

export function broken(mutant: Mutant, why: string): Verdict {
  const none = { failed: 0, tests: 0, seconds: 0 };
  return { mutant, outcome: 'broken', why, ...none };
}

export function isOf({ file }: Outcome, name: string): boolean {
  return path.join('test', file) === name;
}
