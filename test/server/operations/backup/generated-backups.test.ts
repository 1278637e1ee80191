import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { failureLines } from '../../../../server/cli/failure.js';
import { recordFaults } from '../../../faults/report.js';
import { startBoard, type TestBoard } from '../../../support/board.js';
import { FULL } from '../../../support/full.js';
import { LIFTED } from '../../../support/lifted.js';
import { publish } from '../../../support/post.js';
import { chosenSeed } from '../../../support/random.js';
import { backUp, EmptySite } from './site.js';
import { type Spoil, spoils } from './spoils.js';

const RUNS = FULL ? 600 : 16;

describe('backup folders that somebody has spoiled', () => {
  let test: TestBoard;
  let folder: string;
  let whole: string;
  let site: EmptySite;
  let copies = 0;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'backup-'));
    test = await startBoard({ limits: LIFTED });
    await publish(test, { title: 'One', body: 'First.' });
    await publish(test, { reply_to: 1, body: 'Second.' });
    whole = path.join(folder, 'whole');
    await backUp(test.databaseUrl, whole);
    site = await EmptySite.make();
  });

  after(async () => {
    await test.stop();
    await site.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('are refused with one sentence, and leave an empty database', async () => {
    const seed = chosenSeed();
    await fc.assert(fc.asyncProperty(spoils, refused), {
      numRuns: RUNS,
      seed,
      includeErrorInReport: true,
      // What was taken once would be found by every later run.
      endOnFailure: true,
    });
    await site.restore(whole);
    await recordFaults({ test: 'A11', seed, faults: RUNS });
  });

  async function refused(spoil: Spoil): Promise<void> {
    copies += 1;
    const from = path.join(folder, `copy-${copies}`);
    await cp(whole, from, { recursive: true });
    try {
      await spoil(from);
      const error = await site.restore(from).then(
        () => new Error('it was taken'),
        (thrown: unknown) => thrown,
      );
      const lines = failureLines(error);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.not.include('Unexpected');
      expect(lines[0]).to.match(/^[ -~]*$/);
      await site.expectEmpty();
    } finally {
      await rm(from, { recursive: true, force: true });
    }
  }
});
