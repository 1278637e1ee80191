import { parseArgs } from 'node:util';
import { openFolder } from '../../server/db/embedded/folders.js';

export type BenchArguments = {
  /** Ids of rows; empty: all. */
  only: string[];
  size: number;
  short: boolean;
  render: boolean;
  /** Continues the latest run of this commit, size and machine. */
  resume: boolean;
  folder: string;
};

const SIZE = 100_000;
const SHORT_SIZE = 600;
const LARGEST = 10_000_000;

export const USAGE = `npm run bench -- [--only R1,W1] [--size 1e6] [--resume] [--short] [--render] [--data lab/bench/data]
  --only    measures these rows of the table
  --size    messages of the large data set, 1e4 to 1e7; default ${SIZE}
  --resume  continues the latest run of this commit, size and machine: measures
            the rows that it lacks, or again those of --only
  --short   tries the harness with tiny sizes; its figures mean nothing
  --render  only writes docs/performance.md, from the latest run of all rows
  --data    where the data sets are kept from run to run`;

/** @throws Error that says what is wrong with them. */
export function benchArguments(args: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      size: { type: 'string' },
      short: { type: 'boolean', default: false },
      render: { type: 'boolean', default: false },
      resume: { type: 'boolean', default: false },
      data: { type: 'string' },
    },
  });
  const { short, render, resume, data = openFolder('lab/bench/data') } = values;
  const size = Number(values.size ?? (short ? SHORT_SIZE : SIZE));
  if (!Number.isInteger(size) || size < 100 || size > LARGEST) {
    throw new Error('--size takes a whole number from 100 to 1e7');
  }
  const only = (values.only ?? '')
    .split(',')
    .map((id) => id.trim().toUpperCase())
    .filter((id) => id !== '');
  return { only, size, short, render, resume, folder: data };
}
