import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Source } from '../../source.js';
import type { Figure, Section } from '../row.js';

export type RowResult = {
  id: string;
  section: Section;
  work: string;
  /** When it was measured, UTC, and how long that took. */
  at: string;
  seconds: number;
  /** Runnable processes per minute when it ended. */
  load: number;
  figures: Figure[];
  notes: string[];
  skipped?: string;
};

/** One run: rows of one commit, one size and one machine. */
export type Results = Source & {
  date: string;
  /** A trial of the harness: the figures mean nothing. */
  short: boolean;
  /** All rows were asked for, and may be there after a resumption. */
  full: boolean;
  /** Messages of the large data set. */
  size: number;
  machine: ReturnType<typeof machine>;
  rows: RowResult[];
};

export function machine(postgres: string) {
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.versions.node,
    postgres,
  };
}

export async function keep(folder: string, results: Results): Promise<string> {
  const target = path.join(folder, 'results');
  await mkdir(target, { recursive: true });
  const name = results.date.slice(0, 19).replaceAll(':', '-');
  const file = path.join(target, `${name}.json`);
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  return file;
}

/** The latest kept run of which this is true; null where there is none. */
export async function latestRun(
  folder: string,
  matches: (run: Results) => boolean,
): Promise<Results | null> {
  const target = path.join(folder, 'results');
  const names = await readdir(target).catch(() => []);
  for (const name of names.sort().reverse()) {
    if (!name.endsWith('.json')) continue;
    const text = await readFile(path.join(target, name), 'utf8');
    const run = JSON.parse(text) as Results;
    if (matches(run)) return run;
  }
  return null;
}
