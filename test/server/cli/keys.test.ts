import { lstat, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { toHex } from '../../../protocol/bytes.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { OperatorAudit } from '../../../server/db/entities/operator-session.js';
import { deriveSeed } from '../../../server/ledger/board-keys.js';
import { givenBoard } from '../../support/hooks.js';
import { rows } from '../../support/rows.js';
import { newFolder } from '../../support/run-folder.js';
import { settingsOf } from '../operations/backup/site.js';
import { command, type Environment, refusal } from './command.js';

describe('reserve-board keys show', () => {
  const test = givenBoard();
  let env: Environment;
  let folder: string;
  before(async () => {
    folder = await newFolder();
    env = settingsOf(test);
  });

  it('prints public keys, and writes a secret one only to a new file', async () => {
    const { keys, config } = test.board.context;
    const shown = await command(['keys', 'show'], env);
    expect(shown.code, shown.stderr).to.equal(0);
    for (const key of [keys.log, keys.mirror, keys.node]) {
      expect(shown.stdout).to.include(formatVkey(key.vkey));
    }
    const seed = Buffer.from(config.boardSeed ?? '', 'hex');
    const due = toHex(deriveSeed(seed, 'log'));
    expect(shown.stdout).not.to.include(due);
    const file = path.join(folder, 'log.key');
    const link = path.join(folder, 'link.key');
    await symlink(path.join(folder, 'elsewhere'), link);
    const write = ['keys', 'show', '--secret'];
    const written = await command([...write, file, '--json'], env);
    expect(written.code, written.stderr).to.equal(0);
    expect(JSON.parse(written.stdout)).to.include({ secret: file });
    expect(await readFile(file, 'utf8')).to.equal(`${due}\n`);
    expect((await lstat(file)).mode & 0o777).to.equal(0o600);
    for (const taken of [file, link]) {
      const said = await refusal([...write, taken], env);
      expect(said).to.include('exists already');
    }
    const kept = await rows(test).findBy(OperatorAudit, {
      action: 'keys.secret',
    });
    expect(kept.map(({ subject }) => subject)).to.deep.equal(['key:log']);
  });
});
