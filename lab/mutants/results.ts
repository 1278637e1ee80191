import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commitOf } from '../faults/commit-of.js';
import type { Verdict } from './judge.js';
import type { Mutant } from './mutant.js';
import { patchOf, ROOT } from './patch.js';

/** What the last run of a mutant came to. */
export type Result = Pick<Verdict, 'outcome' | 'why' | 'failed' | 'tests'> & {
  id: string;
  /** SHA-256 of its patch: a bug that was planted anew was not tried yet. */
  patch: string;
  /** Day of the run, UTC. */
  date: string;
  /** The tree that it was planted in. */
  commit: string;
};

const FILE = path.join(ROOT, 'lab', 'reports', 'mutants.json');

async function hashOf(mutant: Mutant): Promise<string> {
  const patch = await readFile(patchOf(mutant));
  return createHash('sha256').update(patch).digest('hex');
}

/** Adds verdicts to those kept, and gives what is known of each mutant. */
export async function keepResults(
  verdicts: readonly Verdict[],
  mutants: readonly Mutant[],
): Promise<Map<string, Result>> {
  const text = await readFile(FILE, 'utf8').catch(() => '[]');
  const kept = new Map(
    (JSON.parse(text) as Result[]).map((result) => [result.id, result]),
  );
  const date = new Date().toISOString().slice(0, 10);
  const commit = await commitOf(ROOT);
  for (const { mutant, outcome, why, failed, tests } of verdicts) {
    const { id } = mutant;
    const patch = await hashOf(mutant);
    const result = { id, outcome, failed, tests, why, patch, date, commit };
    kept.set(id, result);
  }
  const known = new Map<string, Result>();
  for (const mutant of mutants) {
    const result = kept.get(mutant.id);
    if (result?.patch === (await hashOf(mutant))) known.set(mutant.id, result);
  }
  await mkdir(path.dirname(FILE), { recursive: true });
  const rows = [...known.values()];
  await writeFile(FILE, `${JSON.stringify(rows, null, 2)}\n`);
  return known;
}
