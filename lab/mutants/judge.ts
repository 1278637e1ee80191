import path from 'node:path';
import type { Mutant } from './mutant.js';
import type { TestRun } from './run-tests.js';

/**
 * `caught`: each of its test files failed by an assertion. `survived`: one did
 * not. `broken`: the mutant says nothing, because it is no working program.
 */
export type Verdict = {
  mutant: Mutant;
  outcome: 'caught' | 'survived' | 'broken';
  /** The first failed assertion, or why there is none. */
  why: string;
  failed: number;
  tests: number;
  seconds: number;
};

/** What a run with the mutant planted came to. */
export function judge(mutant: Mutant, run: TestRun): Verdict {
  const { failures, passed, seconds } = run;
  const asserted = failures.filter((failure) => failure.asserted);
  const blind = mutant.caughtBy.filter(
    (file) => !asserted.some((failure) => isOf(failure.file, file)),
  );
  const [first] = asserted;
  const told = { failed: failures.length, tests: passed + failures.length };
  if (blind.length === 0 && first !== undefined) {
    const why = first.title;
    return { mutant, outcome: 'caught', why, ...told, seconds };
  }
  const others = failures.map(({ title, message }) => `${title}: ${message}`);
  const notOver = run.ended ? '' : 'the run did not end in time; ';
  const why = `${notOver}no assertion failed in ${blind.join(', ')}${others.length > 0 ? ` (${others[0]})` : ''}`;
  return { mutant, outcome: 'survived', why, ...told, seconds };
}

/** A mutant that cannot be planted or loaded. */
export function broken(mutant: Mutant, why: string): Verdict {
  const none = { failed: 0, tests: 0, seconds: 0 };
  return { mutant, outcome: 'broken', why, ...none };
}

/** Whether a failed test stands in a file of the tree. */
export function isOf(failed: string, file: string): boolean {
  return path.resolve(failed).endsWith(path.join(path.sep, file));
}
