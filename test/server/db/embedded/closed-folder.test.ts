import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Checkout, IS_ROOT, removeShared } from './closed-checkout.js';

const shell = promisify(execFile);
const SHARED = '/var/lib/reserve-board';
const NAME = `it's "a" test`;

type Row = { name: string; state: string; detail: string; fix?: string };

/** As root: in a folder that its database's account cannot enter. */
describe('a board in a closed folder with quotes in its name', () => {
  let checkout: Checkout;
  let dataDir: string;

  before(async () => {
    checkout = await Checkout.create(NAME, 0o700);
    const id = createHash('sha256').update(checkout.folder).digest('hex');
    dataDir = IS_ROOT
      ? `${SHARED}/it-s-a-test-${id.slice(0, 8)}`
      : path.join(checkout.folder, 'data');
  });

  after(async () => {
    if (IS_ROOT) await removeShared(dataDir);
    await checkout.remove();
  });

  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await checkout.command(args);
    expect(code, stderr + stdout).to.equal(0);
    return JSON.parse(stdout);
  };

  it('starts, takes a message by the line it prints, and stops', async () => {
    const board = await checkout.start();
    const facts = JSON.parse(board.lines.at(-1) ?? '');
    expect(facts).to.include({ data_dir: dataDir, database: 'embedded' });
    const { stdout } = await shell('sh', ['-euc', facts.first_post], {
      cwd: checkout.above,
    });
    expect(stdout).to.include('/t/1');
    const { code, stderr } = await board.stop();
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
  });

  it('finds its data again, with every command', async () => {
    const board = await checkout.start();
    const url = `http://127.0.0.1:${checkout.port}`;
    const read = await fetch(`${url}/api/messages/1`);
    expect(read.status).to.equal(200);
    const { operators } = await command('operator', 'list', '--json');
    expect(operators).to.deep.equal([]);
    const backup = path.join(checkout.above, 'backup');
    const { log_size: size } = await command('backup', backup, '--json');
    expect(size).to.equal(2);
    const { at_head } = await command('migrate', '--json');
    expect(at_head).to.equal(true);
    expect((await board.stop()).code).to.equal(0);
    const again = await command('operator', 'list', '--json');
    expect(again.operators).to.deep.equal([]);
    // There is one data folder, and it is not in a place of its own by mistake.
    expect((await readdir(checkout.folder)).includes('data')).to.equal(
      !IS_ROOT,
    );
  });

  it('is looked at by doctor, with what other checkouts left', async () => {
    const orphan = `${SHARED}/gone-00000000`;
    if (IS_ROOT) {
      await mkdir(orphan, { recursive: true });
      await writeFile(path.join(orphan, 'checkout'), '/no/such/folder\n');
    }
    try {
      const { ok, checks } = await command('doctor', '--json');
      expect(ok).to.equal(true);
      const rows = checks as Row[];
      const row = (start: string) =>
        rows.find(({ detail }) => detail.startsWith(start));
      expect(row(dataDir)?.name).to.equal('data folder');
      const shared = rows.filter(({ name }) => name === 'shared folder');
      expect(shared.length > 0).to.equal(IS_ROOT);
      if (!IS_ROOT) return;
      expect(row(`${dataDir}: this board`)?.state).to.equal('ok');
      expect(row(`${orphan}: `)?.state).to.equal('warn');
      expect(row(`${orphan}: `)?.fix).to.include(`DATA_DIR=${orphan}`);
    } finally {
      if (IS_ROOT) await removeShared(orphan);
    }
  });

  it('lets nobody read what lies beside the database', async () => {
    const modes: Record<string, string> = {};
    for (const name of ['.', 'board.seed', 'pg18', 'socket']) {
      const { mode } = await stat(path.join(dataDir, name));
      modes[name] = (mode & 0o777).toString(8);
    }
    expect(modes).to.deep.equal({
      '.': IS_ROOT ? '711' : '700',
      'board.seed': '600',
      pg18: '700',
      socket: '700',
    });
  });

  if (IS_ROOT) {
    it('refuses a DATA_DIR that its account cannot enter, and writes nothing', async () => {
      const inside = path.join(checkout.above, 'inside', 'data');
      const env = { DATA_DIR: inside };
      const { code, stderr } = await checkout.command(['start'], env);
      expect(code).to.equal(1);
      expect(stderr.trim().split('\n')).to.have.length(1);
      expect(stderr).to.include(`cannot enter ${checkout.above}; set DATA_DIR`);
      expect(await readdir(checkout.above)).not.to.include('inside');
      const checked = await checkout.command(['doctor', '--json'], env);
      expect(checked.code).to.equal(1);
      const rows = JSON.parse(checked.stdout).checks as Row[];
      const row = rows.find(({ name }) => name === 'data folder');
      expect(row?.state).to.equal('fail');
      expect(row?.fix).to.include('set DATA_DIR to');
      expect(await readdir(checkout.above)).not.to.include('inside');
    });
  }
});

describe('a board in a read-only checkout', () => {
  let checkout: Checkout;

  before(async () => {
    checkout = await Checkout.create('plain', 0o711);
    await checkout.unlinkLibraries();
    await checkout.makeReadOnly();
  });

  after(() => checkout.remove());

  it('starts with DATA_DIR set, also for a user without a home', async () => {
    const dataDir = path.join(checkout.above, 'data');
    const board = await checkout.start({
      DATA_DIR: dataDir,
      HOME: '/nonexistent',
    });
    expect(JSON.parse(board.lines.at(-1) ?? '').data_dir).to.equal(dataDir);
    const { code, stderr } = await board.stop();
    expect(code, stderr).to.equal(0);
  });
});
