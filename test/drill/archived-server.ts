import { readdirSync } from 'node:fs';
import {
  appendFile,
  chown,
  cp,
  mkdir,
  mkdtemp,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import {
  isRoot,
  newAccount,
  type RunAs,
} from '../../server/db/embedded/account.js';
import { lastWord, run } from '../../server/db/embedded/run.js';
import { openLog } from '../../server/db/embedded/server-process.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';

/** A PostgreSQL as docs/operate.md archives it ("Backups of large boards"). */
export class ArchivedServer {
  private constructor(
    private readonly bin: string,
    private readonly folder: string,
    private readonly as: RunAs,
    private readonly port: number,
  ) {}

  /**
   * Makes one with a database `board`, and starts it.
   *
   * @param bin the folder of PostgreSQL's programs.
   * @param settings lines of postgresql.conf; `/backups` is its folder of backups.
   */
  static async create(bin: string, settings: string): Promise<ArchivedServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'drill-pitr-'));
    const as = isRoot() ? newAccount() : null;
    const server = new ArchivedServer(bin, folder, as, await freePort());
    await server.own(folder);
    for (const name of ['backups', 'backups/wal']) {
      await mkdir(path.join(folder, name));
      await server.own(path.join(folder, name));
    }
    await server.run('initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8');
    await appendFile(
      path.join(server.data, 'postgresql.conf'),
      `${server.here(settings)}\nlisten_addresses = '127.0.0.1'\nport = ${server.port}\nunix_socket_directories = ''\n`,
    );
    await server.start();
    await server.query('CREATE DATABASE board', 'postgres');
    return server;
  }

  get data(): string {
    return path.join(this.folder, 'data');
  }

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/board`;
  }

  /** A text of the documents, with the folder of this server in it. */
  here(text: string): string {
    return text.replaceAll('/backups', path.join(this.folder, 'backups'));
  }

  /** Runs a program of PostgreSQL as its account. */
  async run(name: string, ...line: string[]): Promise<string> {
    const { code, output } = await run(path.join(this.bin, name), line, {
      as: this.as,
      clusterDir: this.data,
    });
    if (code !== 0) throw new Error(`${name}: ${lastWord(output)}`);
    return output;
  }

  async start(): Promise<void> {
    const log = await openLog(path.join(this.folder, 'log'));
    const { code } = await run(
      path.join(this.bin, 'pg_ctl'),
      ['start', '-s', '-w', '-t', '300'],
      { as: this.as, clusterDir: this.data, outputFd: log.fd },
    );
    const said = code === 0 ? '' : await log.readFile('utf8');
    await log.close();
    if (code !== 0) throw new Error(`no server: ${lastWord(said)}`);
  }

  async stop(): Promise<void> {
    await this.run('pg_ctl', 'stop', '-s', '-w', '-m', 'fast');
  }

  /** `pg_basebackup`, checked by `pg_verifybackup`. */
  async baseBackup(name: string): Promise<void> {
    const folder = this.here(`/backups/${name}`);
    const from = this.url.replace('/board', '/postgres');
    await this.run('pg_basebackup', '-d', from, '-D', folder, '-c', 'fast');
    await this.run('pg_verifybackup', folder);
  }

  /** Waits until all that was written so far is in the archive. */
  async archived(): Promise<void> {
    const [row] = await this.query<{ name: string }>(
      'SELECT pg_walfile_name(pg_switch_wal()) AS name',
    );
    const wal = this.here('/backups/wal');
    await until('an archive that is complete', async () =>
      readdirSync(wal).includes(row?.name ?? ''),
    );
  }

  /** Puts a base backup in place of the stopped server's files. */
  async takeBack(name: string, settings: string): Promise<void> {
    await rename(this.data, `${this.data}.${Date.now()}`);
    await cp(this.here(`/backups/${name}`), this.data, { recursive: true });
    const file = path.join(this.data, 'postgresql.auto.conf');
    await appendFile(file, this.here(settings));
    await writeFile(path.join(this.data, 'recovery.signal'), '');
    await this.ownAll();
    await this.start();
    await until('the end of the recovery', async () => {
      const [row] = await this.query<{ over: boolean }>(
        'SELECT NOT pg_is_in_recovery() AS over',
      );
      return row?.over === true;
    });
  }

  async query<Row = unknown>(text: string, database = 'board'): Promise<Row[]> {
    const url = new URL(this.url);
    url.pathname = `/${database}`;
    const client = new pg.Client({ connectionString: url.href });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    await this.stop().catch(() => {});
    await rm(this.folder, { recursive: true, force: true });
  }

  private async own(file: string): Promise<void> {
    if (this.as !== null) await chown(file, this.as.uid, this.as.gid);
  }

  private async ownAll(): Promise<void> {
    await this.own(this.data);
    for (const name of readdirSync(this.data, { recursive: true })) {
      await this.own(path.join(this.data, String(name)));
    }
  }
}
