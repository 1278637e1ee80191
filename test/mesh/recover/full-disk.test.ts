import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { recordFaults, recordNotRun } from '../../faults/report.js';
import { type SmallDisk, smallDisk } from '../../faults/small-disk.js';
import { FULL } from '../../support/full.js';
import { Scene } from './scene.js';

/** From too few for a cluster to enough for all but the last pages. */
const MEGABYTES = [4, 24, 40, 44, 48, 52, 56, 60, 64, 68, 72, 80];
const ENOUGH_MB = 600;

/** A12: the disk of the new data folder fills while the log is restored. */
if (FULL) {
  describe('docs/recover.md on a disk that fills', () => {
    let scene: Scene;
    let disk: SmallDisk | null = null;
    let size = 0;
    let full = 0;

    before(async () => {
      scene = await Scene.make(500);
      await scene.stopMirrored();
      size = await scene.lost.headSize();
    });

    afterEach(async () => {
      await disk?.remove();
      disk = null;
    });

    after(() => scene?.end());

    for (const megabytes of MEGABYTES) {
      it(`ends with a sentence at ${megabytes} MB, and goes on with room`, async () => {
        const { lost, b } = scene;
        disk = await smallDisk(megabytes);
        if (disk === null) {
          return await recordNotRun('A12 disk', 'it may not mount');
        }
        const moved = path.join(disk.folder, 'data');
        await mkdir(moved);
        const seed = 'board.seed';
        await cp(path.join(lost.dataDir, seed), path.join(moved, seed));
        const env = { DATA_DIR: moved };
        const restore = ['log', 'restore', '--from', b.url];
        const ended = await lost.tried(restore, env);
        if (ended.code !== 0) {
          full += 1;
          expect(ended.stderr).to.match(
            /^reserve-board: [^\n]*(disk|space|room)/m,
          );
          expect(ended.stderr).not.to.match(/\n\s+at /);
        }
        await disk.grow(ENOUGH_MB);
        const again = await lost.tried(restore, env);
        expect(again.code, again.stderr).to.equal(0);
        expect(again.stdout).to.include('Writes are open');
        expect(again.stdout).to.include(`the log has ${size}.`);
        // The node that has this seed is stopped: nothing is signed twice.
        const looked = await lost.tried(['doctor'], env);
        expect(looked.stdout).not.to.match(/^fail {2}(ledger|log guard)/m);
      });
    }

    it('has filled in the midst of it, several times', async () => {
      if (full === 0) return;
      expect(full).to.be.within(2, MEGABYTES.length - 1);
      await recordFaults({ test: 'A12 disk', faults: full });
    });
  });
}
