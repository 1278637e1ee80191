import {
  chmod,
  mkdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkPlatform } from '../../../../server/db/embedded/binaries.js';
import { hydrateSymlinks } from '../../../../server/db/embedded/copy-binaries.js';
import {
  makeSocketDir,
  socketDirFor,
} from '../../../../server/db/embedded/socket-dir.js';
import { expectRefusal, givenFolder, query } from './data-folder.js';

describe('what the embedded database needs around it', () => {
  const on = givenFolder();

  it('takes a short socket folder when the path is long', async () => {
    const long = join(on.folder, 'a'.repeat(60), 'b'.repeat(60));
    const { connection, stop } = await on.start(long);
    expect(connection.host).to.match(/\/board-\d+-[0-9a-f]{16}$/);
    expect(await query(connection, 'select 1 as n')).to.have.length(1);
    await stop();
    await rm(connection.host, { recursive: true });
  });

  it('refuses a socket folder that is open to others or is a link', async () => {
    const dir = socketDirFor('/x'.repeat(60), 5432, null, on.folder);
    await mkdir(dir);
    await chmod(dir, 0o755);
    await expectRefusal(makeSocketDir(dir, null), dir);
    await rm(dir, { recursive: true });
    await mkdir(join(on.folder, 'real'), { mode: 0o700 });
    await symlink(join(on.folder, 'real'), dir);
    await expectRefusal(makeSocketDir(dir, null), dir);
  });

  it('makes the links its binaries need', async () => {
    const lib = join(on.folder, 'native', 'lib');
    await mkdir(lib, { recursive: true });
    await writeFile(join(lib, 'libx.so.6.18'), 'x');
    const links = ['libx.so', 'libx.so.6'].map((name) => ({
      source: 'native/lib/libx.so.6.18',
      target: `native/lib/${name}`,
    }));
    await writeFile(
      join(on.folder, 'native', 'pg-symlinks.json'),
      JSON.stringify(links),
    );
    await symlink('libx.so.6.18', join(lib, 'libx.so'));
    expect(await hydrateSymlinks(on.folder)).to.equal(1);
    expect(await readlink(join(lib, 'libx.so.6'))).to.equal('libx.so.6.18');
    expect(await readFile(join(lib, 'libx.so.6'), 'utf8')).to.equal('x');
    expect(await hydrateSymlinks(on.folder)).to.equal(0);
  });

  it('names the way out where its binaries do not run', () => {
    for (const [platform, libc, why] of [
      ['win32-x64', null, 'win32-x64'],
      ['linux-x64', undefined, 'musl'],
      ['linux-x64', '2.26', '2.27'],
    ] as const) {
      const start = () => checkPlatform(platform, libc);
      expect(start).to.throw(why);
      expect(start).to.throw('DATABASE_URL');
    }
    expect(() => checkPlatform('linux-x64', '2.27')).not.to.throw();
  });
});
