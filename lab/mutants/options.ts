import { parseArgs } from 'node:util';
import { MUTANTS } from './list.js';
import type { Mutant } from './mutant.js';

export type Options = {
  mutants: readonly Mutant[];
  jobs: number;
};

/**
 * `--only <id>` (its number will do; more by commas, or given again) and
 * `--jobs <n>`, how many run at once.
 * @throws Error for what is none.
 */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      jobs: { type: 'string', default: '1' },
    },
  });
  const jobs = Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new Error('--jobs takes a whole number from 1');
  if (values.only.length === 0) return { mutants: MUTANTS, jobs };
  const mutants = values.only.flatMap(split).map((wanted) => {
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

const split = (list: string) => list.split(',');
