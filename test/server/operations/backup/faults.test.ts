import {
  cp,
  mkdir,
  readdir,
  readFile,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { headFile } from '../../../../server/ledger/head-file.js';
import {
  checkFiles,
  fileOf,
  readManifest,
} from '../../../../server/operations/backup/manifest.js';
import { restoreBackup } from '../../../../server/operations/backup/restore-backup.js';
import { noteRestore } from '../../../../server/operations/backup/restored-head.js';
import { SEED } from '../../../support/board.js';
import { newFolder } from '../../../support/run-folder.js';
import { until } from '../../../support/until.js';
import { command, launched } from '../../cli/command.js';
import { edit, forge } from './forge.js';
import { backUp, givenBackup, NOW, settingsOf, withClient } from './site.js';

describe('what can happen to a backup', () => {
  const at = givenBackup();
  const { test, site } = at;

  async function copy(name: string): Promise<string> {
    const to = path.join(at.folder, name);
    await cp(at.whole, to, { recursive: true });
    return to;
  }

  async function refused(from: string): Promise<string> {
    const error = await site.restore(from).catch((thrown: Error) => thrown);
    if (error === undefined) throw new Error('it was taken');
    expect(error.name, String(error)).to.equal('BackupFault');
    return error.message;
  }

  it('is refused with one bit changed, cut short, or with a file missing', async () => {
    const from = await copy('spoiled');
    for (const [n, name] of ['message', 'vote', 'decision'].entries()) {
      const file = fileOf(from, { name });
      const bytes = await readFile(file);
      const middle = bytes.length >> 1;
      if (n === 0) await rm(file);
      if (n === 1) await truncate(file, bytes.length - 1);
      const flipped = Buffer.from(bytes);
      flipped[middle] = (flipped[middle] ?? 0) ^ 1;
      if (n === 2) await writeFile(file, flipped);
      expect(await refused(from), name).to.include(
        `${name}.copy.gz is not as it was written`,
      );
      await writeFile(file, bytes);
    }
    await site.expectEmpty();
  });

  it('is refused with another manifest, whoever sealed it', async () => {
    const from = await copy('edited');
    await edit(from, (text) => text.replace('"rows": 2', '"rows": 3'));
    expect(await refused(from)).to.include('does not carry the seal');
    await edit(from, (text) => text, 'ee'.repeat(32));
    expect(await refused(from)).to.include('does not carry the seal');
    await edit(from, () => '{"format": "something else"}', SEED);
    expect(await refused(from)).to.include('of another format');
    await edit(from, () => '\u0000', SEED);
    expect(await refused(from)).to.include('damaged');
    await rm(path.join(from, 'manifest.hmac'));
    expect(await refused(from)).to.include('is missing');
    await site.expectEmpty();
  });

  it('is refused when it does not prove itself, even under its own seal', async () => {
    const one = await copy('other-text');
    await forge(one, 'message', (rows) => rows.replace('Second.', 'X'), SEED);
    expect(await refused(one)).to.include('the text of message 2 was changed');
    // A decision that its message names is taken out.
    const two = await copy('no-decision');
    await forge(two, 'decision', () => '', SEED);
    expect(await refused(two)).to.include('gave 0 rows instead of 1');
    const three = await copy('other-head');
    await edit(three, (text) => text.replace(/"size": \d+/, '"size": 2'), SEED);
    expect(await refused(three)).to.include('does not prove itself');
    const four = await copy('no-leaf');
    const drop = (rows: string) => rows.split('\n').slice(1).join('\n');
    await forge(four, 'log_entry', drop, SEED);
    expect(await refused(four)).to.match(/gave \d+ rows instead of/);
    const five = await copy('newer');
    await edit(
      five,
      (text) => text.replace('"Ledger1763900100000"', '"Later1"'),
      SEED,
    );
    expect(await refused(five)).to.include('made by a newer release (Later1)');
    await site.expectEmpty();
  });

  it('is refused where a file is replaced after it was compared', async () => {
    const from = await copy('replaced');
    const manifest = await readManifest(from, SEED);
    await checkFiles(from, manifest);
    // The root of the log does not cover these rows; their number is the same.
    const file = fileOf(from, { name: 'decision' });
    const rows = gunzipSync(await readFile(file)).toString('utf8');
    await writeFile(file, gzipSync(rows.replace('It says', 'It said')));
    const error = await restoreBackup({ url: site.url }, from, manifest).catch(
      (thrown: Error) => thrown,
    );
    expect(String(error)).to.include('it was changed while it was read');
    await site.expectEmpty();
  });

  it('is no backup where it only looks like one', async () => {
    const empty = path.join(at.folder, 'empty');
    await mkdir(empty);
    expect(await refused(empty)).to.include('is missing');
    expect(await refused(path.join(at.folder, 'nowhere'))).to.include(
      'is missing',
    );
    const file = path.join(at.folder, 'a-file');
    await writeFile(file, '');
    const error = await backUp(test.databaseUrl, file).catch(
      (thrown: Error) => thrown,
    );
    expect(String(error)).to.include('is no empty folder');
    for (const nowhere of ['/proc/x/y', path.join(at.folder, 'a', 'b')]) {
      const lost = await backUp(test.databaseUrl, nowhere).catch(
        (thrown: NodeJS.ErrnoException) => thrown.code,
      );
      expect(lost, nowhere).to.equal('ENOENT');
    }
  });

  it('leaves nothing under its name when it is killed in the middle', async () => {
    const to = path.join(at.folder, 'killed');
    await withClient(test.databaseUrl, async (lock) => {
      await lock.query('BEGIN; LOCK TABLE write_request');
      const child = await launched(['backup', to], settingsOf(test));
      const drafts = async () =>
        (await readdir(at.folder)).filter((name) => name.startsWith('killed'));
      await until('it waits for the last table', async () => {
        const [draft = ''] = await drafts();
        if (draft === '') return false;
        const tables: string[] = await readdir(
          path.join(at.folder, draft, 'tables'),
        ).catch(() => []);
        return tables.includes('usefulness_report.copy.gz');
      });
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
      expect(await drafts()).to.deep.equal([`killed.${child.pid}.part`]);
      await lock.query('ROLLBACK');
    });
    const again = await command(['backup', to], settingsOf(test));
    expect(again.code, again.stderr).to.equal(0);
    const names = await readdir(at.folder);
    expect(names.filter((name) => name.startsWith('killed'))).to.deep.equal([
      'killed',
    ]);
    await checkFiles(to, await readManifest(to, SEED));
  });

  it('leaves an empty database when a restore is cut off anywhere', async () => {
    const manifest = await readManifest(at.whole, SEED);
    const cut = (nth: number) => {
      let tables = 0;
      return {
        onProgress: () => {
          tables += 1;
          if (tables === nth) throw new Error('cut off');
        },
      };
    };
    for (const nth of [1, 20, manifest.tables.length]) {
      const url = { url: site.url };
      const error = await restoreBackup(
        url,
        at.whole,
        manifest,
        cut(nth),
      ).catch((thrown: Error) => thrown);
      expect(String(error)).to.include('cut off');
      await site.expectEmpty();
    }
    // The connection dies at the very last step.
    const beforeCommit = async () => {
      await withClient(site.url, (client) =>
        client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE usename = current_user AND datname = current_database() AND pid <> pg_backend_pid()`,
        ),
      );
    };
    const lost = await restoreBackup({ url: site.url }, at.whole, manifest, {
      beforeCommit,
    }).catch((thrown: Error) => thrown);
    expect(lost).to.be.an('error');
    await site.expectEmpty();
    const both = [site.restore(at.whole), site.restore(at.whole)];
    const ended = await Promise.allSettled(both);
    const failed = ended.filter(({ status }) => status === 'rejected');
    expect(failed).to.have.length(1);
    expect(await refused(at.whole)).to.include('has a board already');
  });

  it('keeps a head that is ahead of it, and refuses that of another log', async () => {
    const manifest = await readManifest(at.whole, SEED);
    const dir = await newFolder();
    const head = async () =>
      JSON.parse(await readFile(headFile(dir), 'utf8')) as object;
    const note = () => noteRestore(dir, manifest, { noPeers: false, now: NOW });
    await note();
    const { origin, size } = manifest.log;
    expect(await head()).to.include({ origin, size, restored: true });
    const ahead = { ...(await head()), size: size + 7 };
    await writeFile(headFile(dir), JSON.stringify(ahead));
    await note();
    expect(await head()).to.include({ size: size + 7, restored: true });
    const other = { ...ahead, origin: 'elsewhere.example/log' };
    await writeFile(headFile(dir), JSON.stringify(other));
    const error = await note().catch((thrown: Error) => thrown);
    expect(String(error)).to.include('belongs to the log elsewhere.example');
  });
});
