import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { applyPatch, caughtIn, filesOf, MUTANTS, ROOT } from './mutants.js';

const LEAST = 30;

describe('planted bugs', () => {
  it('are thirty at least, most of them caught by npm test', () => {
    expect(MUTANTS.length).to.be.at.least(LEAST);
    const first = MUTANTS.filter((one) => caughtIn(one) === 'npm test');
    expect(first.length).to.be.within(LEAST, MUTANTS.length - 1);
  });

  it('are caught by the tier that has the tests they name', () => {
    const [mutant] = MUTANTS;
    if (mutant === undefined) throw new Error('there is no mutant');
    const tierOf = (...names: string[]) =>
      caughtIn({
        ...mutant,
        caughtBy: names.map((name) => `test/${name}.test.ts`),
      });
    expect(tierOf('mesh/guard/guard')).to.equal('test:all');
    expect(tierOf('client/cli/a/b')).to.equal('test:all');
    expect(tierOf('admin/socket-flood')).to.equal('test:all');
    expect(tierOf('server/db/replicas')).to.equal('test:all');
    expect(tierOf('server/db/x/replicas')).to.equal('npm test');
    expect(tierOf('mesh/guards')).to.equal('npm test');
    expect(tierOf('mesh/guard/guard', 'admin/socket')).to.equal('npm test');
  });

  it('fit the tree as it is', async () => {
    for (const mutant of MUTANTS) await applyPatch(mutant, ROOT, 'check');
  });

  it('are refused with their name where the code has moved on', async () => {
    const [mutant] = MUTANTS;
    if (mutant === undefined) throw new Error('there is no mutant');
    const tree = await mkdtemp(path.join(os.tmpdir(), 'moved-on-'));
    try {
      for (const file of filesOf(mutant)) {
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
      const files = filesOf(mutant);
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
