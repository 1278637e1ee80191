import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  readdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accountFor } from '../../../../server/db/embedded/account.js';
import {
  makeDataFolder,
  openFolder,
} from '../../../../server/db/embedded/folders.js';
import {
  makeShared,
  sharedFolderFor,
} from '../../../../server/db/embedded/layout.js';
import { temporaryFolder } from '../../../../server/db/embedded/reach.js';
import { socketDirFor } from '../../../../server/db/embedded/socket-dir.js';
import { command } from '../../cli/command.js';
import { IS_ROOT, removeShared } from './closed-checkout.js';
import { DataFolder, expectRefusal, givenFolder } from './data-folder.js';

const run = promisify(execFile);

async function idOf(name: string): Promise<number | null> {
  const found = await run('id', ['-u', name]).catch(() => null);
  return found === null ? null : Number(found.stdout);
}

async function accounts(): Promise<number[]> {
  const names = ['reserve-board', 'postgres', 'nobody'];
  const ids = await Promise.all(names.map(idOf));
  return ids.filter((id) => id !== null);
}

describe('who runs the embedded database', () => {
  const on = givenFolder();

  const cluster = () => join(on.dataDir, 'pg18');
  const ownerOfServer = async () =>
    (await stat(join(cluster(), 'postmaster.pid'))).uid;

  it('is the user who starts it, and for root the first of its accounts', async () => {
    const [first] = IS_ROOT ? await accounts() : [process.getuid?.()];
    await on.start();
    expect(await ownerOfServer()).to.equal(first);
  });

  it('is the owner of the cluster that is there', async () => {
    const last = IS_ROOT ? (await accounts()).at(-1) : process.getuid?.();
    const made = await on.start();
    await made.stop();
    await run('chown', [
      '-R',
      `${last}`,
      cluster(),
      join(on.dataDir, 'socket'),
    ]);
    const again = await on.start();
    expect(again.adopted).to.equal(false);
    expect(await ownerOfServer()).to.equal(last);
  });

  it('is nobody else than the owner of a folder', async () => {
    await mkdir(cluster(), { recursive: true });
    if (!IS_ROOT) {
      expect(accountFor(cluster())).to.equal(null);
      return;
    }
    expect(() => accountFor(cluster())).to.throw(`chown -R`);
    await chown(cluster(), 4711, 4711);
    expect(accountFor(cluster())).to.include({ uid: 4711, gid: 4711 });
  });

  it('is named by doctor, with a warning of an account that others share', async () => {
    const nobody = await idOf('nobody');
    await mkdir(cluster(), { recursive: true });
    if (IS_ROOT) await chown(cluster(), nobody ?? 0, nobody ?? 0);
    const env = { DATA_DIR: on.dataDir };
    const { code, stdout } = await command(['doctor', '--json'], env);
    expect(code, stdout).to.equal(0);
    type Row = { name: string; state: string; fix?: string };
    const rows = JSON.parse(stdout).checks as Row[];
    const row = rows.find(({ name }) => name === 'database account');
    expect(row?.state).to.equal(IS_ROOT ? 'warn' : undefined);
    if (IS_ROOT) expect(row?.fix).to.include(`chown -R reserve-board: '`);
  });
});

describe('the folders of the embedded database', () => {
  const on = new DataFolder();
  let closed: string;

  beforeEach(async () => {
    await on.make();
    closed = join(on.folder, 'closed & <odd>');
    await mkdir(closed, { mode: 0o700 });
  });

  afterEach(async () => {
    await removeShared(sharedFolderFor(join(closed, 'data')));
    await on.remove();
  });

  it('lie below /var/lib where root keeps its account out', async () => {
    const folder = join(closed, 'data');
    const shared = sharedFolderFor(folder);
    expect(shared).to.match(
      /^\/var\/lib\/reserve-board\/closed-odd-[0-9a-f]{8}$/,
    );
    expect(openFolder(folder)).to.equal(IS_ROOT ? shared : folder);
    expect(openFolder(folder, true), 'external').to.equal(folder);
    await chmod(closed, 0o711);
    expect(openFolder(folder), 'opened').to.equal(folder);
  });

  it('stay where a board is, whatever becomes of the rights', async () => {
    const folder = join(closed, 'data');
    const shared = sharedFolderFor(folder);
    const used = openFolder(folder);
    await makeDataFolder(join(used, 'pg18'));
    await chmod(closed, 0o711);
    expect(openFolder(folder)).to.equal(used);
    expect(openFolder(folder, true)).to.equal(used);
    if (!IS_ROOT) return;
    // An earlier version's, in the folder itself, goes before.
    await makeDataFolder(join(folder, 'pg18'));
    expect(openFolder(folder)).to.equal(folder);
    expect(used).to.equal(shared);
  });

  it('are made so that the account gets through, whatever the umask', async () => {
    const before = process.umask(0o077);
    try {
      await makeDataFolder(join(on.folder, 'a', 'b'));
    } finally {
      process.umask(before);
    }
    const mode = IS_ROOT ? '711' : '700';
    expect((await on.modes(on.folder)).a).to.equal(mode);
    expect((await on.modes(join(on.folder, 'a'))).b).to.equal(mode);
  });

  it('are refused where others than root could exchange them', async () => {
    const shared = join(on.folder, 'shared');
    await mkdir(shared);
    await chmod(shared, 0o777);
    await expectRefusal(makeShared(shared), `chown root: ${shared}`);
    await chmod(shared, 0o700);
    if (IS_ROOT) {
      await makeShared(shared);
      expect((await on.modes(on.folder)).shared).to.equal('711');
    } else {
      await expectRefusal(makeShared(shared), `chown root: ${shared}`);
    }
  });

  it('are missed in one line where they cannot be made', async () => {
    const file = join(on.folder, 'file');
    await writeFile(file, '');
    await expectRefusal(makeShared(join(file, 'shared')), 'set DATA_DIR to');
  });

  it('of temporary things are open to the account', async () => {
    const { TMPDIR } = process.env;
    process.env.TMPDIR = closed;
    try {
      expect(temporaryFolder()).to.equal(IS_ROOT ? '/tmp' : closed);
      const as = accountFor(join(on.folder, 'none'));
      const socket = socketDirFor('/x'.repeat(60), 5432, as);
      expect(socket.startsWith(IS_ROOT ? '/tmp/board-' : closed)).to.equal(
        true,
      );
    } finally {
      process.env.TMPDIR = TMPDIR;
    }
    expect(await readdir(closed)).to.deep.equal([]);
  });
});
