import {
  chown,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import {
  isRoot,
  newAccount,
  type RunAs,
} from '../../server/db/embedded/account.js';
import {
  type Binaries,
  binariesFor,
} from '../../server/db/embedded/binaries.js';
import { createCluster } from '../../server/db/embedded/initdb.js';
import { lastWord, run } from '../../server/db/embedded/run.js';
import { openLog, serverOf } from '../../server/db/embedded/server-process.js';
import { freePort } from './free-port.js';
import { randomBytes } from './random.js';
import { runFolder } from './run-folder.js';
import { until } from './until.js';

const SUPERUSER = 'postgres';
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: "''",
  max_connections: '60',
  shared_buffers: '16MB',
  max_wal_senders: '5',
  hot_standby: 'on',
  wal_keep_size: '64MB',
  wal_retrieve_retry_interval: '200ms',
};
/** Everybody of this machine, with or without TLS. */
const TRUST = ['local', 'host']
  .flatMap((kind) => {
    const from = kind === 'host' ? ' 127.0.0.1/32' : '';
    return ['all', 'replication'].map(
      (database) => `${kind} ${database} all${from} trust\n`,
    );
  })
  .join('');

export type ServerOptions = {
  settings?: Record<string, string>;
  /** `pg_hba.conf`; by default everybody of this machine comes in. */
  hba?: string;
  /** A folder with the programs of another PostgreSQL, such as Debian's. */
  programs?: string;
};

/** The locale of an installed one that is older than the board's own. */
const INITDB = ['-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust', '-N'];

function installed(folder: string): Binaries {
  const [initdb, pgCtl, postgres] = ['initdb', 'pg_ctl', 'postgres'].map(
    (name) => path.join(folder, name),
  ) as [string, string, string];
  return { initdb, pgCtl, postgres };
}

/**
 * A PostgreSQL server of its own on a port of the loopback, of the binaries
 * that come with the board: the cluster of a run has no standby, no TLS and is
 * everybody's.
 */
export class PostgresServer {
  private constructor(
    readonly data: string,
    readonly port: number,
    private readonly binaries: Binaries,
    private readonly as: RunAs,
    private readonly settings: Record<string, string>,
    private readonly programs?: string,
  ) {}

  /** Makes an empty one, with a database `board`, and starts it. */
  static async create(options: ServerOptions = {}): Promise<PostgresServer> {
    const { settings, programs } = options;
    const server = await PostgresServer.prepare(settings, programs);
    const { data, binaries, as } = server;
    if (programs === undefined) await createCluster(data, binaries, as);
    else await server.make();
    await server.write('pg_hba.conf', options.hba ?? TRUST);
    await server.start();
    await server.query("CREATE DATABASE board ENCODING 'UTF8'", 'postgres');
    return server;
  }

  private static async prepare(
    settings: Record<string, string> = {},
    programs?: string,
  ): Promise<PostgresServer> {
    const as = isRoot() ? newAccount() : null;
    const name = `server-${randomBytes(6).toString('hex')}`;
    const folder = path.join(runFolder(), name);
    await mkdir(folder, { mode: 0o711 });
    if (as !== null) await chown(folder, as.uid, as.gid);
    const binaries =
      programs === undefined
        ? await binariesFor(as, folder)
        : installed(programs);
    const all = { ...SETTINGS, ...settings };
    const data = path.join(folder, 'data');
    const port = await freePort();
    return new PostgresServer(data, port, binaries, as, all, programs);
  }

  private get log(): string {
    return path.join(this.data, '..', 'log');
  }

  async said(): Promise<string> {
    return await readFile(this.log, 'utf8');
  }

  async write(name: string, text: string): Promise<string> {
    const file = path.join(this.data, name);
    await writeFile(file, text, { mode: 0o600 });
    await this.own(file);
    return file;
  }

  async start(): Promise<void> {
    const log = await openLog(this.log);
    const given = Object.entries({ ...this.settings, port: `${this.port}` });
    const options = given.map(([name, value]) => `-c ${name}=${value}`);
    const line = ['start', '-s', '-w', '-t', '60', '-o', options.join(' ')];
    const { code } = await run(this.binaries.pgCtl, line, {
      as: this.as,
      clusterDir: this.data,
      outputFd: log.fd,
    });
    const said = code === 0 ? '' : await log.readFile('utf8');
    await log.close();
    if (code !== 0) throw new Error(`no server: ${lastWord(said)}`);
  }

  /** Ends it as `pg_ctl stop -m` does, unless it has ended already. */
  async end(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    if ((await serverOf(this.data)) === null) return;
    await this.control('stop', '-m', mode);
  }

  async promote(): Promise<void> {
    await this.control('promote');
  }

  async remove(): Promise<void> {
    await this.end('immediate');
    await rm(path.dirname(this.data), { recursive: true, force: true });
  }

  url(database = 'board', user = SUPERUSER): string {
    return `postgresql://${user}@127.0.0.1:${this.port}/${database}`;
  }

  async query<Row = unknown>(
    text: string,
    database?: string,
    user?: string,
  ): Promise<Row[]> {
    const connectionString = this.url(database, user);
    const client = new pg.Client({ connectionString });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** A standby by PostgreSQL's own steps: the board has no pg_basebackup. */
  async standby(
    settings: Record<string, string> = {},
  ): Promise<PostgresServer> {
    const all = { ...this.settings, ...settings };
    const standby = await PostgresServer.prepare(all, this.programs);
    const client = new pg.Client({ connectionString: this.url() });
    await client.connect();
    try {
      await client.query("SELECT pg_backup_start('standby', true)");
      await standby.copyOf(this.data, standby.data);
      const { rows } = await client.query<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(false)',
      );
      await standby.write('backup_label', rows[0]?.labelfile ?? '');
    } finally {
      await client.end();
    }
    await standby.follow(this);
    await standby.start();
    return standby;
  }

  async follow({ port }: PostgresServer): Promise<void> {
    await this.write('standby.signal', '');
    const from = `host=127.0.0.1 port=${port} user=${SUPERUSER}`;
    await this.write('postgresql.auto.conf', `primary_conninfo = '${from}'\n`);
  }

  async caughtUpWith(primary: PostgresServer): Promise<void> {
    const [row] = await primary.query<{ lsn: string }>(
      'SELECT pg_current_wal_flush_lsn()::text AS lsn',
    );
    const text = `SELECT pg_last_wal_replay_lsn() >= '${row?.lsn}' AS there`;
    await until('a standby that has caught up', async () => {
      const [found] = await this.query<{ there: boolean }>(text);
      return found?.there === true;
    });
  }

  async program(name: string, ...line: string[]): Promise<void> {
    const file = path.resolve(path.dirname(this.binaries.pgCtl), name);
    const { as, data: clusterDir } = this;
    const { code, output } = await run(file, line, { as, clusterDir });
    if (code !== 0) throw new Error(`${name}: ${lastWord(output)}`);
  }

  private async make(): Promise<void> {
    const { code, output } = await run(
      this.binaries.initdb,
      ['-U', SUPERUSER, ...INITDB],
      { as: this.as, clusterDir: this.data },
    );
    if (code !== 0) throw new Error(`initdb: ${lastWord(output)}`);
  }

  private async control(...line: string[]): Promise<void> {
    const { code, output } = await run(
      this.binaries.pgCtl,
      [...line, '-s', '-w', '-t', '60'],
      { as: this.as, clusterDir: this.data },
    );
    if (code !== 0) throw new Error(`pg_ctl ${line[0]}: ${lastWord(output)}`);
  }

  private async own(file: string): Promise<void> {
    if (this.as !== null) await chown(file, this.as.uid, this.as.gid);
  }

  /** A file may go while it is copied; the WAL tells what became of it. */
  private async copyOf(from: string, to: string): Promise<void> {
    await mkdir(to, { mode: 0o700 });
    await this.own(to);
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const [one, other] = [
        path.join(from, entry.name),
        path.join(to, entry.name),
      ];
      if (entry.isDirectory()) await this.copyOf(one, other);
      if (!entry.isFile() || entry.name.startsWith('postmaster.')) continue;
      try {
        await copyFile(one, other);
        await this.own(other);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }
}

export async function ownServer() {
  const server = await PostgresServer.create();
  return { server, stop: () => server.remove() };
}

export async function withStandby() {
  const primary = await PostgresServer.create();
  const standby = await primary.standby();
  const stop = async () => {
    await standby.remove();
    await primary.remove();
  };
  return { primary, standby, stop };
}
