import { chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { writeAccess } from '../../../../server/db/embedded/access.js';
import { accountFor } from '../../../../server/db/embedded/account.js';
import { clusterOf } from '../../../../server/db/embedded/layout.js';
import {
  assertFolder,
  assertRoom,
} from '../../../../server/db/embedded/room.js';
import { expectRefusal, givenFolder } from './data-folder.js';

describe('a first start that is refused', () => {
  const on = givenFolder();

  /** A folder with the database's name, of the account that runs it. */
  async function cluster(file: string, text: string): Promise<string> {
    const folder = clusterOf(on.folder);
    const as = accountFor(folder);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, file), text);
    if (as !== null) await chown(folder, as.uid, as.gid);
    return folder;
  }

  it('names a file in the place of the data folder', async () => {
    const file = join(on.folder, 'file');
    await writeFile(file, 'x');
    await expectRefusal(assertFolder(file), 'set DATA_DIR to a folder');
    await assertFolder(join(on.folder, 'not', 'there'));
  });

  it('says how much room a new database needs, and makes nothing', async () => {
    const dataDir = join(on.folder, 'a', 'b');
    await expectRefusal(assertRoom(dataDir, 1e12), 'make room, or set');
    await assertRoom(dataDir, 0);
    expect(await readdir(on.folder)).to.deep.equal([]);
  });

  it('leaves the database of another version as it is', async () => {
    const folder = await cluster('PG_VERSION', '16\n');
    await expectRefusal(on.start(on.folder), 'run its "backup"');
    expect(await readdir(folder)).to.deep.equal(['PG_VERSION']);
    expect(await readdir(on.folder)).to.have.length(1);
  });

  it('leaves what has the name of its database and is none', async () => {
    const folder = await cluster('letter.txt', 'Dear board');
    await expectRefusal(on.start(on.folder), 'move it away');
    expect(await readdir(folder)).to.deep.equal(['letter.txt']);
  });

  it('leaves no draft of a file that could not be written', async () => {
    const taken = join(on.folder, 'pg_hba.conf');
    await mkdir(join(taken, 'in the way'), { recursive: true });
    const refusal = await writeAccess(on.folder, null).catch(String);
    expect(refusal).to.match(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(await readdir(on.folder)).to.deep.equal(['pg_hba.conf']);
  });
});
