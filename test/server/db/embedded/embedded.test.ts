import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDataSource } from '../../../../server/db/data-source.js';
import {
  type EmbeddedDatabase,
  startEmbedded,
} from '../../../../server/db/embedded/index.js';
import {
  livingServers,
  removeStaleLock,
} from '../../../../server/db/embedded/orphans.js';
import { openSession } from '../../../../server/db/session.js';
import { until } from '../../../support/until.js';
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

  it('starts beside a lock file of nobody', async () => {
    const first = await on.start();
    await query(first.connection, 'create table t as select 7 as n');
    const file = join(on.dataDir, 'pg18', 'postmaster.pid');
    const lines = (await readFile(file, 'utf8')).split('\n');
    const named = (pid: number) => [pid, ...lines.slice(1)].join('\n');
    const other = join(on.folder, 'other');
    await on.start(other);
    const [board] = livingServers(join(other, 'pg18'));
    for (const left of [
      ...['', '\n\n', '\0'.repeat(90), 'no number\n'],
      ...[named(process.pid), named(process.ppid), `${process.pid}`],
      // Two boards of one machine change numbers when it starts again.
      ...[named(board?.pid ?? 0), `${board?.pid}\n`, named(1)],
      ...[`\ufeff${named(1)}`, named(-(board?.pid ?? 0))],
    ]) {
      process.kill((await on.serverPid()) as number, 'SIGKILL');
      await until(
        'it is dead',
        () => livingServers(join(on.dataDir, 'pg18')).length === 0,
      );
      await writeFile(file, left);
      await writeFile(`${first.connection.host}/.s.PGSQL.5432.lock`, left);
      const { adopted, connection } = await on.start();
      expect(adopted, left).to.equal(false);
      const rows = await query(connection, 'select n from t');
      expect(rows, left).to.deep.equal([{ n: 7 }]);
    }
    expect(await readdir(join(on.dataDir, 'pg18'))).not.to.match(/pid\./);
  });

  it('leaves a lock file whose server lives', async () => {
    await on.start();
    const dir = join(on.dataDir, 'pg18');
    const file = join(dir, 'postmaster.pid');
    const text = await readFile(file, 'utf8');
    await writeFile(file, '');
    await removeStaleLock(dir, file);
    expect(await readFile(file, 'utf8')).to.equal('');
    await writeFile(file, text);
    await removeStaleLock(dir, file);
    expect(await readFile(file, 'utf8')).to.equal(text);
  });

  it('takes no PG… variable of another program', async () => {
    const others = {
      ...{ PGSSLMODE: 'verify-full', PGSSLNEGOTIATION: 'direct' },
      ...{ PGOPTIONS: '-c search_path=nowhere', PGREPLICATION: 'database' },
      ...{ PGHOST: 'db.invalid', PGPORT: '1', PGUSER: 'x', PGDATABASE: 'y' },
      ...{ PGPASSWORD: 'z', PGCLIENTENCODING: 'LATIN1', PGAPPNAME: 'other' },
      ...{
        PGDATA: '/nowhere',
        PGCLIENT_ENCODING: 'LATIN1',
        PGTZ: 'Asia/Tokyo',
      },
      ...{ PGSSLROOTCERT: '/no/ca.pem', PGSSLCERT: '/no', PGSSLKEY: '/no' },
      ...{ PGSERVICE: 'other', PGTARGETSESSIONATTRS: 'standby' },
      ...{ PGBINARY: 'true', PGDATESTYLE: 'German', PGPASSFILE: '/no' },
    };
    const before = { ...process.env };
    Object.assign(process.env, others);
    try {
      const { connection } = await on.start();
      const session = await openSession(connection, 'a test');
      const shown = async (name: string) =>
        Object.values((await session.query(`SHOW ${name}`)).rows[0]);
      expect(await shown('search_path')).to.deep.equal(['"$user", public']);
      expect(await shown('client_encoding')).to.deep.equal(['UTF8']);
      expect(await shown('TimeZone')).to.deep.equal(['UTC']);
      expect(await shown('DateStyle')).to.deep.equal(['ISO, MDY']);
      const [name] = await shown('application_name');
      expect(name).to.include('a test');
      await session.end();
      const source = createDataSource(connection, {
        ...{ max: 1, onPoolError: () => {} },
      });
      await source.initialize();
      const [row] = await source.query("SELECT 'é' AS text, current_schema()");
      expect(row).to.deep.equal({ text: 'é', current_schema: 'public' });
      await source.destroy();
    } finally {
      for (const name of Object.keys(others)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
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
