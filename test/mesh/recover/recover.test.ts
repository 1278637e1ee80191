import { readFile } from 'node:fs/promises';
import { fail, ok } from '../../../server/cli/doctor/check.js';
import { PAGES, pageFor } from '../../../server/cli/doctor/page.js';
import { recordFaults } from '../../faults/report.js';
import { FULL } from '../../support/full.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { onFullDisk } from './full-disk.js';
import { lossOf } from './losses.js';
import { commandsOf, linkedPages, pages, texts, titles } from './runbook.js';
import { givenScene, json } from './scene.js';

describe('docs/recover.md', () => {
  it('has a page for each line of its table, and links that lead somewhere', () => {
    const names = pages().map(([name]) => name);
    expect(names).to.have.members([...new Set(linkedPages())]);
  });

  it('says on each page what is lost, how long it takes and how to tell', () => {
    for (const [name, text] of texts()) {
      for (const line of ['Lost', 'Takes', 'It worked']) {
        expect(text, name).to.include(`\n- **${line}**: `);
      }
    }
  });

  it('looks for a living server first, where the node has to be stopped', () => {
    const beside = ['clock', 'disk'];
    for (const [name, [first]] of pages()) {
      if (first === undefined || beside.includes(name)) continue;
      expect(first, name).to.match(/^ps ax .*"\[h\]ba_file=\$DATA_DIR\/pg"/);
    }
  });

  it('is what doctor --deep names, by what it found', () => {
    for (const { id, title } of PAGES) {
      expect(titles().get(id), id).to.equal(title);
    }
    const of = (name: string, detail: string, hasBackup = false) =>
      pageFor([fail(name, detail, 'a fix')], hasBackup)?.id;
    const lost = 'board.seed is missing, but the log was begun with it';
    expect(of('board seed', lost)).to.equal('peers-only');
    expect(of('board seed', lost, true)).to.equal('backup-without-seed');
    const sealed = 'of 2026-11-27: without the seed it cannot be restored';
    expect(of('backup /b', sealed, true)).to.equal('backup-without-seed');
    expect(of('ledger', 'the root is another one')).to.equal('damaged');
    const behind =
      'writes are closed: its log has 3 entries and the mirror of b holds 4';
    expect(of('log guard', behind)).to.equal('last-minutes');
    const other = 'writes are closed: the mirror of b holds another history';
    expect(of('log guard', other)).to.equal('quarantined');
    expect(of('peer b', 'it has quarantined this board')).to.equal(
      'quarantined',
    );
    expect(of('disk', '0.1 GB free')).to.equal('disk');
    expect(of('clock', 'it jumped ahead')).to.equal('clock');
    expect(of('schema', 'lacks one')).to.equal('upgrade');
    expect(pageFor([ok('disk', 'much')], false)).to.equal(null);
  });
});

describe('docs/recover.md, as printed, against three boards', () => {
  const { scene, lost, b } = givenScene();

  it('brings the board back from a backup and the seed', async () => {
    await lossOf('damaged').lose(scene);
    await lost.follow(commandsOf('damaged'), b.url);
    expect(scene.all()).to.include('docs/recover.md#damaged');
    const lines = commandsOf('backup-and-seed');
    const pulled = lines.findIndex((line) => line.includes(' log restore '));
    await lost.follow(lines.slice(0, pulled), b.url);
    // So far goes the drill of docs/operate.md, which says how to read this.
    const operate = await readFile('docs/operate.md', 'utf8');
    const [drill = ''] = /passed if .*? guard` fails/s.exec(operate) ?? [];
    const { checks } = await lost.examined();
    const states = [...drill.matchAll(/`(.*?)`/g)].map(
      ([, named]) => checks.find(({ name }) => name === named)?.state,
    );
    expect(states).to.deep.equal(['ok', 'ok', 'ok', 'ok', 'fail']);
    await lost.follow(lines.slice(pulled), b.url);
    expect(scene.all()).to.include('Nothing was changed. Every file is as it');
    expect(scene.all()).to.include('Nothing was changed. A restore would pull');
    expect(scene.all()).to.include('Writes are open');
    const kept = ['Before any loss.', 'After the backup.'];
    expect(await scene.bodies()).to.include.members(kept);
    await scene.expectBack('Back from the backup.');
    await scene.stopMirrored();
    for (const { clock } of [b, scene.c]) clock.set(Date.now());
    const found = await lost.examined('--backup', lost.backup);
    expect([found.page, found.failed]).to.deep.equal([null, []]);
    const details = found.checks.map(({ detail }) => detail).join('\n');
    expect(details).to.include('make the signed root');
    expect(details).to.match(/it mirrors \d+ entries/);
    expect(details).to.include('the log goes on');
    const asked = ['operator', 'do', 'system.read', '--json'];
    const { backups } = JSON.parse((await lost.run(...asked)).stdout).data;
    expect(backups).to.include({ overdue: false });
    expect(backups.verified_at).to.be.at.least(backups.verified_made_at);
  });

  it('brings the log back from the seed alone, on a full disk, killed and run twice', async () => {
    await lost.lose(true);
    const restore = ['log', 'restore', '--from', b.url];
    const isFull = await onFullDisk(lost, restore, 0);
    expect(isFull, 'null where nothing may be mounted').not.to.equal(false);
    if (isFull) await recordFaults({ test: 'A15 log restore', faults: 1 });
    const lines = commandsOf('seed-only');
    const at = lines.findLastIndex((line) => line.includes(' log restore '));
    await lost.follow(lines.slice(0, at), b.url);
    expect((await lost.examined()).page).to.equal('seed-only');
    const withBackup = await lost.examined('--backup', lost.backup);
    expect(withBackup.page).to.equal('backup-and-seed');
    const random = randomOf(chosenSeed());
    const kills = FULL ? 10 : 1;
    for (let run = 0; run < kills; run += 1) {
      await lost.killed(restore, 200 + random() * 2000);
    }
    await recordFaults({ test: 'A12 log restore', faults: kills });
    if (FULL) {
      await Promise.all([1, 2].map(() => lost.killed(restore, 600_000)));
    }
    await lost.follow(lines.slice(at), b.url);
    expect(scene.all()).to.include('There is no operator here');
    expect(await scene.bodies()).to.include.members(['Back from the backup.']);
    await scene.expectBack('Back from the seed.');
    const { peers } = await json(`${lost.url}/api/mesh`);
    expect(peers).to.have.length(1);
  });

  it('goes on under a new key when seed and database are gone', async () => {
    await lossOf('peers-only').lose(scene);
    const lines = commandsOf('peers-only');
    await lost.follow(lines.slice(0, 3), b.url);
    const looked = await lost.run('doctor', '--deep');
    expect(looked.stdout).to.include('If there was one, do not start it');
    expect(looked.stdout).to.include('#peers-only with such a board alone');
    await lost.follow(lines.slice(3), b.url);
    expect(scene.all()).to.include('Nothing was changed. A new generation');
    await scene.followed();
    await scene.expectBack('Under a new key.');
    const found = await json(
      `${b.url}/api/mesh/boards/${encodeURIComponent(lost.name)}/updates?since=0`,
    );
    const seen = found.data.map(({ body }: { body: string }) => body);
    expect(seen).to.include.members(['Before any loss.', 'Under a new key.']);
  });
});
