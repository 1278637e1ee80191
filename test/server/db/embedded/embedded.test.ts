import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import {
  type EmbeddedDatabase,
  startEmbedded,
} from '../../../../server/db/embedded/index.js';
import { expectRefusal, givenFolder, query } from './data-folder.js';

const ROOT = process.getuid?.() === 0;

/** Asks to be let in as another account of this machine; what is answered. */
const KNOCK = `
  const [host, port, user, uid, gid] = process.argv.slice(1);
  if (uid !== '') {
    process.setgroups([]);
    process.setgid(Number(gid));
    process.setuid(Number(uid));
  }
  const text = 'user\\0' + user + '\\0database\\0postgres\\0\\0';
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + text.length, 0);
  head.writeInt32BE(196608, 4);
  const socket = require('node:net').connect(host + '/.s.PGSQL.' + port);
  socket.write(Buffer.concat([head, Buffer.from(text)]));
  socket.once('data', (data) => {
    process.stdout.write(data.toString('latin1'));
    process.exit();
  });
`;

async function knock(
  { host, port, user }: EmbeddedDatabase['connection'],
  as?: { uid: number; gid: number },
): Promise<string> {
  const ids = [as?.uid ?? '', as?.gid ?? ''].map(String);
  const args = ['-e', KNOCK, host, String(port), user, ...ids];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}

describe('the embedded database', () => {
  const on = givenFolder();

  it('starts from nothing, durable, in UTC and on a socket only', async () => {
    const database = await on.start();
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
    await on.start();
    expect(await on.modes()).to.deep.equal({
      pg18: '700',
      'pg_hba.conf': ROOT ? '644' : '600',
      'pg_ident.conf': ROOT ? '644' : '600',
      'postgres.log': '600',
      socket: '700',
    });
    expect((await on.modes(on.folder)).data).to.equal(ROOT ? '711' : '700');
  });

  it('lets its own process in, and not the account that runs the server', async () => {
    const { connection, dataDirectory } = await on.start();
    expect(await knock(connection)).to.match(/^R/);
    if (!ROOT) return;
    const { uid, gid } = await stat(dataDirectory);
    expect(uid).not.to.equal(0);
    for (const user of ['postgres', 'board']) {
      const answer = await knock({ ...connection, user }, { uid, gid });
      expect(answer).to.match(/^E[\s\S]*Peer authentication failed/);
    }
  });

  it('opens a data folder that was made before, closed to all', async () => {
    await mkdir(on.dataDir, { mode: 0o700 });
    const database = await on.start();
    expect(await query(database.connection, 'select 1 as one')).to.have.length(
      1,
    );
  });

  it('keeps rows over a stop, under a path full of quotes', async () => {
    const odd = join(on.folder, `it's "a" $(touch x), \`b\``);
    const first = await on.start(odd);
    await query(first.connection, 'create table t as select 7 as n');
    await first.stop();
    const second = await on.start(odd);
    expect(second.adopted).to.equal(false);
    const rows = await query(second.connection, 'select n from t');
    expect(rows).to.deep.equal([{ n: 7 }]);
  });

  it('tells when PostgreSQL works and there is time for other work', async () => {
    const told: string[] = [];
    const start = (which: string) =>
      on.start(on.dataDir, (isNew) => {
        told.push(`${which}: ${isNew ? 'made' : 'started'}`);
      });
    const first = await start('first');
    await start('adopted');
    await first.stop();
    expect(told).to.deep.equal(['first: made', 'first: started']);
  });

  it('keeps an acknowledged row when the server is killed', async () => {
    const first = await on.start();
    await query(first.connection, 'create table t (n int)');
    await query(first.connection, 'insert into t values (7)');
    process.kill((await on.serverPid()) as number, 'SIGKILL');
    const second = await on.start();
    expect(second.adopted).to.equal(false);
    const rows = await query(second.connection, 'select n from t');
    expect(rows).to.deep.equal([{ n: 7 }]);
  });

  it('removes what a killed initdb left, whether or not a database is there', async () => {
    const left = 'init-00000000-0000-0000-0000-000000000001';
    for (const _ of ['none', 'one']) {
      await mkdir(join(on.dataDir, left, 'base'), { recursive: true });
      const database = await on.start();
      expect(Object.keys(await on.modes())).not.to.include(left);
      await database.stop();
    }
  });

  it('never writes values of rows to its log', async () => {
    const { connection } = await on.start();
    await query(connection, 'create table t (ticket text primary key)');
    const insert = `insert into t values ('secret-1')`;
    await query(connection, insert);
    const error = await query(connection, insert).catch((e: unknown) => e);
    expect((error as { code: string }).code).to.equal('23505');
    const log = await readFile(join(on.dataDir, 'postgres.log'), 'utf8');
    expect(log).to.include('duplicate key').and.not.include('secret-1');
  });

  it('says at once why a server does not start', async () => {
    const refused = startEmbedded({
      dataDir: on.dataDir,
      log() {},
      settings: { shared_buffers: 'many' },
    });
    await expectRefusal(refused, 'shared_buffers');
    expect((await on.start()).adopted).to.equal(false);
  });

  if (ROOT) {
    it('names the folder that its account cannot enter, and makes nothing', async () => {
      const closed = join(on.folder, 'closed');
      await mkdir(closed, { mode: 0o700 });
      const refused = on.start(join(closed, 'new', 'data'));
      const message = await expectRefusal(refused, 'set DATA_DIR to');
      expect(message).to.include(`cannot enter ${closed};`);
      expect(message).to.include(`chmod o+x '${closed}'`);
      expect(await readdir(closed)).to.deep.equal([]);
    });
  }
});
