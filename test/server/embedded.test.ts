import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { Client } from 'pg';
import { checkPlatform } from '../../server/db/embedded/binaries.js';
import {
  type EmbeddedDatabase,
  startEmbedded,
} from '../../server/db/embedded/index.js';
import {
  makeSocketDir,
  socketDirFor,
} from '../../server/db/embedded/socket-dir.js';
import { hydrateSymlinks } from '../../server/db/embedded/symlinks.js';

const ROOT = process.getuid?.() === 0;
const CHILD = `
  const { startEmbedded } = await import(${JSON.stringify(
    new URL('../../server/db/embedded/index.ts', import.meta.url).href,
  )});
  const db = await startEmbedded({ dataDir: process.argv[1], log() {} });
  const { connection, adopted } = db;
  console.log(JSON.stringify({ connection, adopted }));
  process.stdin.resume().on('end', () => db.stop());
`;

type Connection = EmbeddedDatabase['connection'];

describe('the embedded database', () => {
  let folder: string;
  let dataDir: string;
  let started: EmbeddedDatabase[];
  let children: ChildProcess[];

  beforeEach(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'embedded-'));
    await chmod(folder, 0o711);
    dataDir = join(folder, 'data');
    started = [];
    children = [];
  });

  afterEach(async () => {
    for (const child of children) await finish(child);
    for (const database of started) await database.stop();
    const left = await serverPid();
    if (left !== null) process.kill(left, 'SIGINT'); // a test that failed
    await rm(folder, { recursive: true, force: true });
  });

  async function start(dir = dataDir): Promise<EmbeddedDatabase> {
    const database = await startEmbedded({ dataDir: dir, log() {} });
    started.push(database);
    return database;
  }

  async function startInChild() {
    const child = spawn(
      process.execPath,
      ['--import=tsx', '--input-type=module', '--eval', CHILD, dataDir],
      { detached: true, stdio: ['pipe', 'pipe', 'inherit'] },
    );
    children.push(child);
    for await (const line of createInterface(child.stdout)) {
      const told = JSON.parse(line) as Pick<
        EmbeddedDatabase,
        'connection' | 'adopted'
      >;
      return { child, ...told };
    }
    throw new Error('the child did not start');
  }

  async function serverPid(): Promise<number | null> {
    const path = join(dataDir, 'pg18', 'postmaster.pid');
    const text = await readFile(path, 'utf8').catch(() => '');
    return text === '' ? null : Number.parseInt(text, 10);
  }

  async function modes(dir = dataDir): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const name of await readdir(dir)) {
      const { mode } = await lstat(join(dir, name));
      found[name] = (mode & 0o777).toString(8);
    }
    return found;
  }

  it('starts from nothing, durable, in UTC and on a socket only', async () => {
    const database = await start();
    const names = [
      ...['fsync', 'full_page_writes', 'synchronous_commit'],
      ...['data_checksums', 'TimeZone', 'listen_addresses', 'server_encoding'],
      'data_directory',
    ];
    const [row] = await query(
      database.connection,
      `select ${names.map((name) => `current_setting('${name}') as "${name}"`)},
        current_user as user, rolsuper as super, 1 as one
        from pg_roles where rolname = current_user`,
    );
    expect(row).to.deep.equal({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      TimeZone: 'UTC',
      listen_addresses: '',
      server_encoding: 'UTF8',
      data_directory: database.dataDirectory,
      user: 'board',
      super: false,
      one: 1,
    });
    expect(database.adopted).to.equal(false);
  });

  it('keeps its files private', async () => {
    await start();
    expect(await modes()).to.deep.equal({
      pg18: '700',
      'postgres.log': '600',
      socket: '700',
    });
    expect((await modes(folder)).data).to.equal(ROOT ? '711' : '700');
  });

  it('opens a data folder that was made before, closed to all', async () => {
    await mkdir(dataDir, { mode: 0o700 });
    const database = await start();
    expect(await query(database.connection, 'select 1 as one')).to.have.length(
      1,
    );
  });

  it('keeps rows over a stop, under a path full of quotes', async () => {
    const odd = join(folder, `it's "a" $(touch x), \`b\``);
    const first = await start(odd);
    await query(first.connection, 'create table t as select 7 as n');
    await first.stop();
    const second = await start(odd);
    expect(second.adopted).to.equal(false);
    const rows = await query(second.connection, 'select n from t');
    expect(rows).to.deep.equal([{ n: 7 }]);
  });

  it('keeps an acknowledged row when the server is killed', async () => {
    const first = await start();
    await query(first.connection, 'create table t (n int)');
    await query(first.connection, 'insert into t values (7)');
    process.kill((await serverPid()) as number, 'SIGKILL');
    const second = await start();
    expect(second.adopted).to.equal(false);
    const rows = await query(second.connection, 'select n from t');
    expect(rows).to.deep.equal([{ n: 7 }]);
  });

  it('survives the crash of its process and group, and is adopted', async () => {
    const { child, connection } = await startInChild();
    await query(connection, 'create table t as select 7 as n');
    const pid = await serverPid();
    process.kill(-(child.pid as number), 'SIGKILL');
    await once(child, 'exit');
    const database = await start();
    expect(database.adopted).to.equal(true);
    expect(await serverPid()).to.equal(pid);
    const rows = await query(database.connection, 'select n from t');
    expect(rows).to.deep.equal([{ n: 7 }]);
    await database.stop();
    expect(await serverPid()).to.equal(null);
  });

  it('makes one cluster when two processes start from nothing', async () => {
    const both = await Promise.all([startInChild(), startInChild()]);
    await expectShared(both);
    const names = Object.keys(await modes());
    expect(names).to.have.members(['pg18', 'postgres.log', 'socket']);
  });

  it('runs one server when two processes start again', async () => {
    await (await start()).stop();
    await expectShared(await Promise.all([startInChild(), startInChild()]));
  });

  async function expectShared(
    both: Pick<EmbeddedDatabase, 'connection' | 'adopted'>[],
  ) {
    const told = both.map(({ adopted }) => adopted);
    expect(told).to.have.members([true, false]);
    const rows = await Promise.all(
      both.map(({ connection }) =>
        query(connection, 'select pg_postmaster_start_time()::text as t'),
      ),
    );
    expect(rows[0]).to.deep.equal(rows[1]);
  }

  it('is stopped by the last process that uses it', async () => {
    const other = await startInChild();
    const mine = await start();
    expect([other.adopted, mine.adopted]).to.deep.equal([false, true]);
    await finish(other.child);
    expect(await query(mine.connection, 'select 1 as n')).to.have.length(1);
    await mine.stop();
    expect(await serverPid()).to.equal(null);
  });

  it('stops once when several leave together, and can be stopped twice', async () => {
    const all = [await start(), await start(), await start()];
    await Promise.all(all.map((database) => database.stop()));
    expect(await serverPid()).to.equal(null);
    await all[0]?.stop();
  });

  it('starts while another one is stopping', async () => {
    for (let round = 0; round < 3; round += 1) {
      const first = await start();
      const [, second] = await Promise.all([first.stop(), start()]);
      const rows = await query(second.connection, 'select 1 as n');
      expect(rows).to.have.length(1);
      await second.stop();
    }
  });

  it('takes a short socket folder when the path is long', async () => {
    const long = join(folder, 'a'.repeat(60), 'b'.repeat(60));
    const { connection, stop } = await start(long);
    expect(connection.host).to.match(/\/board-\d+-[0-9a-f]{16}$/);
    expect(await query(connection, 'select 1 as n')).to.have.length(1);
    await stop();
    await rm(connection.host, { recursive: true });
  });

  it('refuses a socket folder that is open to others or is a link', async () => {
    const dir = socketDirFor('/x'.repeat(60), 5432, null, folder);
    await mkdir(dir);
    await chmod(dir, 0o755);
    await expectRefusal(makeSocketDir(dir, null), dir);
    await rm(dir, { recursive: true });
    await mkdir(join(folder, 'real'), { mode: 0o700 });
    await symlink(join(folder, 'real'), dir);
    await expectRefusal(makeSocketDir(dir, null), dir);
  });

  it('removes what a killed initdb left, but not what is young', async () => {
    const young = 'init-00000000-0000-0000-0000-000000000001';
    const old = 'init-00000000-0000-0000-0000-000000000002';
    for (const name of [young, old]) {
      await mkdir(join(dataDir, name), { recursive: true });
    }
    await utimes(join(dataDir, old), 1, 1);
    await start();
    const names = Object.keys(await modes());
    expect(names).to.include(young).and.not.include(old);
  });

  it('never writes values of rows to its log', async () => {
    const { connection } = await start();
    await query(connection, 'create table t (ticket text primary key)');
    const insert = `insert into t values ('secret-1')`;
    await query(connection, insert);
    const error = await query(connection, insert).catch((e: unknown) => e);
    expect((error as { code: string }).code).to.equal('23505');
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).to.include('duplicate key').and.not.include('secret-1');
  });

  it('says at once why a server does not start', async () => {
    const refused = startEmbedded({
      dataDir,
      log() {},
      settings: { shared_buffers: 'many' },
    });
    await expectRefusal(refused, 'shared_buffers');
    expect((await start()).adopted).to.equal(false);
  });

  it('makes the links its binaries need', async () => {
    const lib = join(folder, 'native', 'lib');
    await mkdir(lib, { recursive: true });
    await writeFile(join(lib, 'libx.so.6.18'), 'x');
    const links = ['libx.so', 'libx.so.6'].map((name) => ({
      source: 'native/lib/libx.so.6.18',
      target: `native/lib/${name}`,
    }));
    await writeFile(
      join(folder, 'native', 'pg-symlinks.json'),
      JSON.stringify(links),
    );
    await symlink('libx.so.6.18', join(lib, 'libx.so'));
    expect(await hydrateSymlinks(folder)).to.equal(1);
    expect(await readlink(join(lib, 'libx.so.6'))).to.equal('libx.so.6.18');
    expect(await readFile(join(lib, 'libx.so.6'), 'utf8')).to.equal('x');
    expect(await hydrateSymlinks(folder)).to.equal(0);
  });

  it('names the way out where its binaries do not run', () => {
    for (const [platform, libc, why] of [
      ['win32-x64', null, 'win32-x64'],
      ['linux-x64', undefined, 'musl'],
      ['linux-x64', '2.26', '2.27'],
    ] as const) {
      expect(() => checkPlatform(platform, libc))
        .to.throw(why)
        .with.property('message')
        .that.includes('DATABASE_URL');
    }
    expect(() => checkPlatform('linux-x64', '2.27')).not.to.throw();
  });

  if (ROOT) {
    it('names the folder that the unprivileged user cannot enter', async () => {
      const closed = join(folder, 'closed');
      await mkdir(closed, { mode: 0o700 });
      const refused = start(join(closed, 'data'));
      const message = await expectRefusal(refused, 'DATA_DIR');
      expect(message).to.include(`cannot enter ${closed}:`);
      expect(await readdir(join(closed, 'data'))).to.deep.equal([]);
    });
  }
});

async function query(connection: Connection, sql: string) {
  const client = new Client(connection);
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

async function expectRefusal(promise: Promise<unknown>, part: string) {
  const error = await promise.then(
    () => null,
    (e: unknown) => e as Error,
  );
  expect(error?.name).to.equal('EmbeddedDatabaseError');
  expect(error?.message).to.include(part);
  return error?.message;
}

async function finish(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.stdin?.end();
  await exit;
}
