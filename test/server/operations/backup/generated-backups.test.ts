import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { failureLines } from '../../../../server/cli/failure.js';
import {
  checkFiles,
  readManifest,
} from '../../../../server/operations/backup/manifest.js';
import { restoreBackup } from '../../../../server/operations/backup/restore-backup.js';
import { writeBackup } from '../../../../server/operations/backup/write-backup.js';
import { recordFaults } from '../../../faults/report.js';
import { SEED, startBoard, type TestBoard } from '../../../support/board.js';
import { FULL } from '../../../support/full.js';
import { LIFTED } from '../../../support/lifted.js';
import { publish } from '../../../support/post.js';
import { chosenSeed } from '../../../support/random.js';
import { EmptySite, withClient, withDatabase } from './site.js';
import { type Spoil, spoils } from './spoils.js';

const RUNS = FULL ? 600 : 16;
const NOW = 1_790_000_000_000;

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
    await withDatabase(test.databaseUrl, (db) =>
      writeBackup(db, whole, { boardSeed: SEED, now: NOW }),
    );
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
    await restoreFrom(whole);
    await recordFaults({ test: 'A11', seed, faults: RUNS });
  });

  async function restoreFrom(from: string): Promise<void> {
    const manifest = await readManifest(from, SEED);
    await checkFiles(from, manifest);
    await restoreBackup({ url: site.url }, from, manifest);
  }

  async function refused(spoil: Spoil): Promise<void> {
    copies += 1;
    const from = path.join(folder, `copy-${copies}`);
    await cp(whole, from, { recursive: true });
    try {
      await spoil(from);
      const error = await restoreFrom(from).then(
        () => new Error('it was taken'),
        (thrown: unknown) => thrown,
      );
      const lines = failureLines(error);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.not.include('Unexpected');
      expect(lines[0]).to.match(/^[ -~]*$/);
      await expectEmpty();
    } finally {
      await rm(from, { recursive: true, force: true });
    }
  }

  async function expectEmpty(): Promise<void> {
    await withClient(site.url, async (client) => {
      const { rows } = await client.query<{ there: boolean }>(
        "SELECT to_regclass('message') IS NOT NULL AS there",
      );
      if (rows[0]?.there !== true) return;
      for (const table of ['message', 'log_entry', 'log_state', 'decision']) {
        const some = await client.query(`SELECT 1 FROM ${table} LIMIT 1`);
        expect(some.rows, table).to.deep.equal([]);
      }
    });
  }
});
