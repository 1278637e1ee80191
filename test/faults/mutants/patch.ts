import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Mutant } from './mutant.js';

const run = promisify(execFile);

const HERE = path.dirname(fileURLToPath(import.meta.url));
export const ROOT = path.resolve(HERE, '../../..');

export function patchOf({ id }: Pick<Mutant, 'id'>): string {
  return path.join(HERE, `${id}.patch`);
}

/** The files of the tree that a mutant changes. */
export async function filesOf(mutant: Mutant): Promise<string[]> {
  const text = await readFile(patchOf(mutant), 'utf8');
  return [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file);
}

type Way = 'plant' | 'take out' | 'check';
const FLAGS: Record<Way, string[]> = {
  plant: [],
  'take out': ['--reverse'],
  check: ['--check'],
};

/**
 * Applies a mutant's patch to a tree, takes it out again, or only looks whether
 * it would fit: to the letter of its context, on whatever lines that stands.
 * @throws Error that says which patch has to be made anew.
 */
export async function applyPatch(
  mutant: Mutant,
  tree: string,
  way: Way,
): Promise<void> {
  // As files alone: in a folder of a repository git would skip what is outside
  // of it in silence.
  const env = { ...process.env, GIT_DIR: path.join(tree, 'no-repository') };
  const flags = ['apply', ...FLAGS[way], patchOf(mutant)];
  try {
    await run('git', flags, { cwd: tree, env });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(
      `${mutant.id}.patch does not fit any more: the code has moved on, so plant the bug again and keep its diff\n${stderr.trim()}`,
    );
  }
}
