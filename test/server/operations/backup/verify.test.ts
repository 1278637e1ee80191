import { chmod, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { CommandAnswers } from '../../../../server/dashboard/all-commands.js';
import { noteRun } from '../../../../server/operations/backup/backup-notes.js';
import { readManifest } from '../../../../server/operations/backup/manifest.js';
import { writeBackup } from '../../../../server/operations/backup/write-backup.js';
import { done, operator } from '../../../admin/operators.js';
import { SEED } from '../../../support/board.js';
import { givenBoard } from '../../../support/hooks.js';
import { publish } from '../../../support/post.js';
import { newFolder } from '../../../support/run-folder.js';
import { command } from '../../cli/command.js';
import { settingsOf } from './site.js';

const HOUR = 3_600_000;

describe('a verified backup', () => {
  const test = givenBoard();
  let folder: string;

  before(async () => {
    folder = await newFolder();
    // As root the trial's server is an ordinary user, who has to pass.
    await chmod(folder, 0o711);
    await publish(test);
  });

  async function backups(): Promise<CommandAnswers['system.read']['backups']> {
    const viewer = await operator(test, 'viewer');
    const view = await done<CommandAnswers['system.read']>(
      viewer.ask('system.read', {}),
    );
    return view.backups;
  }

  async function alarms(): Promise<string[]> {
    test.clock.advance(60_000);
    await test.board.background.jobs.runOnce('watch');
    const viewer = await operator(test, 'viewer');
    const overview = await done<{ alerts: { name: string }[] }>(
      viewer.ask('overview.read', {}),
    );
    return overview.alerts.map(({ name }) => name);
  }

  const write = (name: string) =>
    writeBackup(test.board.context.writes, path.join(folder, name), {
      boardSeed: SEED,
      now: test.clock.now(),
    });

  const note = async (name: 'backup' | 'verify_backup', of: string) => {
    const manifest = await readManifest(path.join(folder, of), SEED);
    const startedAt = test.clock.now();
    const run = { name, startedAt, durationMs: 1 };
    await noteRun(test.board.context.writes, run, manifest);
  };

  it('is asked for once there are backups, and old ones do not count', async () => {
    expect(await backups()).to.equal(null);
    expect(await alarms()).not.to.include('backup_unverified');
    await write('first');
    await note('backup', 'first');
    expect(await backups()).to.include({ verified_at: null, overdue: true });
    expect(await alarms()).to.include('backup_unverified');
    await note('verify_backup', 'first');
    expect(await backups()).to.include({ overdue: false });
    expect(await alarms()).not.to.include('backup_unverified');
    test.clock.advance(27 * HOUR);
    await note('verify_backup', 'first');
    const seen = await backups();
    expect(seen).to.include({ verified_at: test.clock.now(), overdue: true });
    expect(seen?.age_ms).to.be.at.least(27 * HOUR);
    expect(await alarms()).to.include('backup_unverified');
    await write('second');
    await note('backup', 'second');
    await note('verify_backup', 'second');
    expect(await alarms()).not.to.include('backup_unverified');
    // A restored database knows only that its backup was verified.
    await test.board.context.writes.query(
      "DELETE FROM job_run WHERE name = 'backup'",
    );
    const left = await backups();
    expect(left).to.include({ overdue: false });
    expect(left?.verified_at).to.be.a('number');
  });

  it('was restored in a place of its own, which is gone afterwards', async () => {
    const { code, stdout, stderr } = await command(
      ['verify-backup', path.join(folder, 'first'), '--json'],
      { ...settingsOf(test), TMPDIR: folder },
    );
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.include({
      ok: true,
      sealed: true,
      noted: true,
      log_size: 2,
    });
    const left = (await readdir(folder)).filter((name) => /verify/.test(name));
    expect(left).to.deep.equal([]);
    expect((await backups())?.log_size).to.equal(2);
  });
});
