import {
  access,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { MUTANTS } from './list.js';
import { applyPatch, filesOf, patchOf, ROOT } from './patch.js';

const LEAST = 30;

describe('planted bugs', () => {
  it('are thirty at least, each with its patch', async () => {
    expect(MUTANTS.length).to.be.at.least(LEAST);
    const folder = path.dirname(patchOf({ id: 'any' }));
    const patches = (await readdir(folder)).filter((name) =>
      name.endsWith('.patch'),
    );
    expect(MUTANTS.map(({ id }) => `${id}.patch`).sort()).to.eql(
      patches.sort(),
    );
  });

  it('fit the tree as it is', async () => {
    for (const mutant of MUTANTS) await applyPatch(mutant, ROOT, 'check');
  });

  it('are refused with their name where the code has moved on', async () => {
    const [mutant] = MUTANTS;
    if (mutant === undefined) throw new Error('there is no mutant');
    const tree = await mkdtemp(path.join(os.tmpdir(), 'moved-on-'));
    try {
      for (const file of await filesOf(mutant)) {
        await mkdir(path.join(tree, path.dirname(file)), { recursive: true });
        await writeFile(path.join(tree, file), 'export {};\n');
      }
      const refusal = await applyPatch(mutant, tree, 'check').then(
        () => 'it fits',
        (error: Error) => error.message,
      );
      expect(refusal).to.match(/^[0-9a-z-]+\.patch does not fit any more/);
      expect(refusal).to.contain(mutant.id);
    } finally {
      await rm(tree, { recursive: true, force: true });
    }
  });

  it('are planted in what runs, and name tests that exist', async () => {
    for (const mutant of MUTANTS) {
      const files = await filesOf(mutant);
      expect(files, mutant.id).not.to.eql([]);
      for (const file of files) {
        expect(file).to.match(/^(?:server|mesh|protocol|client)\//);
      }
      expect(mutant.caughtBy, mutant.id).not.to.eql([]);
      for (const file of mutant.caughtBy) {
        expect(file).to.match(/^test\/.*\.test\.ts$/);
        await access(path.join(ROOT, file));
      }
    }
  });
});
