import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyPatch as changed, parsePatch, reversePatch } from 'diff';

const HERE = fileURLToPath(new URL('.', import.meta.url));
export const ROOT = path.resolve(HERE, '../..');

/** A patch with three lines above it: a bug that the suites have to see. */
export type Mutant = {
  id: string;
  bug: string;
  class: string;
  /** Test files, each of which has to fail by an assertion. */
  caughtBy: readonly string[];
  diff: string;
};

const FORM =
  /^Bug: (\S.*)\nClass: ([A-GI])\nCaught-by: (\S.*)\n\n(diff --git [\s\S]+)$/;

/** @throws Error for a patch without its three lines. */
function read(name: string): Mutant {
  const text = readFileSync(path.join(HERE, name), 'utf8');
  const [, bug, of, tests, diff] = FORM.exec(text) ?? [];
  if (!bug || !of || !tests || !diff) {
    throw new Error(`${name} does not begin with Bug, Class and Caught-by`);
  }
  const id = path.basename(name, '.patch');
  return { id, bug, class: of, caughtBy: tests.split(' '), diff };
}

export const MUTANTS: readonly Mutant[] = readdirSync(HERE)
  .filter((name) => name.endsWith('.patch'))
  .sort()
  .map(read);

export function filesOf({ diff }: Mutant): string[] {
  return [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file);
}

const require = createRequire(import.meta.url);
const { REST } = require('../../test/tiers.cjs') as { REST: string[] };

const isOf = (tier: string, file: string) =>
  tier.endsWith('**/*.test.ts')
    ? file.startsWith(tier.replace('**/*.test.ts', ''))
    : file === tier;

export function caughtIn({ caughtBy }: Mutant): 'npm test' | 'test:all' {
  const isFirst = (file: string) => !REST.some((one) => isOf(one, file));
  return caughtBy.some(isFirst) ? 'npm test' : 'test:all';
}

export type Way = 'plant' | 'take out' | 'check';

/**
 * Applies a mutant's patch to a tree, takes it out again, or only looks whether
 * it would fit: to the letter of its context, on whatever lines that stands.
 * @throws Error that says which patch has to be made again.
 */
export async function applyPatch(
  { id, diff }: Mutant,
  tree: string,
  way: Way,
): Promise<void> {
  const made: [file: string, text: string][] = [];
  for (const patch of parsePatch(diff)) {
    const file = path.join(tree, (patch.newFileName ?? '').slice('b/'.length));
    const text = changed(
      await readFile(file, 'utf8'),
      way === 'take out' ? reversePatch(patch) : patch,
    );
    if (text === false) {
      throw new Error(
        `${id}.patch does not fit any more: the code has moved on, so plant the bug again and keep its diff (${file})`,
      );
    }
    made.push([file, text]);
  }
  if (way === 'check') return;
  for (const [file, text] of made) await writeFile(file, text);
}
