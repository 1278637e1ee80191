import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyPatch as changed, parsePatch, reversePatch } from 'diff';
import type { Mutant } from './mutant.js';

const HERE = path.dirname(fileURLToPath(import.meta.url));
export const ROOT = path.resolve(HERE, '../..');

export function patchOf({ id }: Pick<Mutant, 'id'>): string {
  return path.join(HERE, `${id}.patch`);
}

/** The files of the tree that a mutant changes. */
export async function filesOf(mutant: Mutant): Promise<string[]> {
  const text = await readFile(patchOf(mutant), 'utf8');
  return [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file);
}

export type Way = 'plant' | 'take out' | 'check';

/**
 * Applies a mutant's patch to a tree, takes it out again, or only looks whether
 * it would fit: to the letter of its context, on whatever lines that stands.
 * @throws Error that says which patch has to be made again.
 */
export async function applyPatch(
  mutant: Mutant,
  tree: string,
  way: Way,
): Promise<void> {
  const made: [file: string, text: string][] = [];
  for (const patch of parsePatch(await readFile(patchOf(mutant), 'utf8'))) {
    const file = path.join(tree, (patch.newFileName ?? '').slice('b/'.length));
    const text = changed(
      await readFile(file, 'utf8'),
      way === 'take out' ? reversePatch(patch) : patch,
    );
    if (text === false) {
      throw new Error(
        `${mutant.id}.patch does not fit any more: the code has moved on, so plant the bug again and keep its diff (${file})`,
      );
    }
    made.push([file, text]);
  }
  if (way === 'check') return;
  for (const [file, text] of made) await writeFile(file, text);
}
