import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { Daemon } from '../../test/support/daemon.js';
import { freePort } from '../../test/support/free-port.js';
import { shippedProxy } from '../../test/support/haproxy.js';
import type { Programs } from '../../test/support/programs.js';
import { runFolder } from '../../test/support/run-folder.js';
import { shipped } from '../../test/support/shipped.js';
import { until } from '../../test/support/until.js';
import { Host } from './host.js';

const NAMES = ['db1', 'db2'] as const;

export type ClusterPorts = {
  /** Where HAProxy leads to the primary, and to the boards. */
  primary: number;
  public: number;
};

/** Two hosts with Patroni, an etcd, an HAProxy, by deploy/cluster's files. */
export class DatabaseCluster {
  private constructor(
    readonly hosts: readonly Host[],
    readonly ports: ClusterPorts,
    private readonly daemons: readonly Daemon[],
  ) {}

  static async create(
    programs: Programs,
    boards: readonly number[],
  ): Promise<DatabaseCluster> {
    const folder = path.join(runFolder(), 'cluster-of-hosts');
    await mkdir(folder, { mode: 0o711 });
    const [client, peer] = [await freePort(), await freePort()];
    const etcd = new Daemon({
      file: programs.pathOf('etcd'),
      line: [],
      log: path.join(folder, 'etcd.log'),
      env: await etcdSettings(folder, client, peer),
    });
    etcd.start();
    const hosts: Host[] = [];
    for (const name of NAMES) {
      hosts.push(await Host.create(name, folder, programs, client));
    }
    const ports = { primary: await freePort(), public: await freePort() };
    const config = path.join(folder, 'haproxy.cfg');
    const primary = { port: ports.primary, members: hosts };
    await writeFile(config, await shippedProxy(ports.public, boards, primary));
    const haproxy = new Daemon({
      file: programs.pathOf('haproxy'),
      line: ['-db', '-f', config],
      log: path.join(folder, 'haproxy.log'),
    });
    haproxy.start();
    const cluster = new DatabaseCluster(hosts, ports, [haproxy, etcd]);
    for (const host of hosts) host.start();
    await cluster.whole();
    await cluster.query(
      "CREATE ROLE board LOGIN PASSWORD 'change-me-4'",
      'postgres',
    );
    await cluster.query(
      "CREATE DATABASE board OWNER board ENCODING 'UTF8' TEMPLATE template0",
      'postgres',
    );
    return cluster;
  }

  get databaseUrl(): string {
    return `postgresql://board:change-me-4@127.0.0.1:${this.ports.primary}/board`;
  }

  get replicaUrls(): string {
    return this.hosts
      .map((host) => host.url('board:change-me-4', 'board'))
      .join(',');
  }

  get url(): string {
    return `http://127.0.0.1:${this.ports.public}`;
  }

  /** Asks the primary as its superuser, or the server at another port. */
  async query<Row = unknown>(
    text: string,
    database = 'board',
    port: number | string = this.ports.primary,
  ): Promise<Row[]> {
    const client = new pg.Client({
      connectionString: `postgresql://postgres:change-me-1@127.0.0.1:${port}/${database}`,
      connectionTimeoutMillis: 2000,
      query_timeout: 20_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async primary(): Promise<Host | null> {
    for (const host of this.hosts) {
      if ((await host.says('/primary')) === 200) return host;
    }
    return null;
  }

  /** Waits until one host leads and the others follow; `as` in which mode. */
  async whole(
    as: 'synchronous' | 'asynchronous' = 'synchronous',
  ): Promise<void> {
    await until(`a whole cluster, ${as}`, async () => {
      for (const one of this.daemons) one.assertRuns();
      for (const host of this.hosts) host.assertRuns();
      const primary = await this.primary();
      if (primary === null) return false;
      const others = this.hosts.filter((host) => host !== primary);
      for (const host of others) {
        if ((await host.says(`/${as}`)) !== 200) return false;
      }
      // Patroni's word is of its last round; HAProxy's of its last look.
      const wanted = as === 'synchronous' ? 'sync' : 'async';
      const standbys = await this.query<{ sync_state: string }>(
        "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'",
        'postgres',
      ).catch(() => []);
      return (
        standbys.length === others.length &&
        standbys.every(({ sync_state }) => sync_state === wanted)
      );
    });
  }

  /** Makes standbys tell their timeline, which they do at a restart point. */
  async restartPoint(): Promise<void> {
    await this.query('CHECKPOINT');
    const [row] = await this.query<{ lsn: string }>(
      'SELECT pg_current_wal_flush_lsn()::text AS lsn',
    );
    const replayed = `SELECT NOT pg_is_in_recovery()
      OR pg_last_wal_replay_lsn() >= '${row?.lsn}' AS there`;
    for (const { port } of this.hosts) {
      await until('the checkpoint at a standby', async () => {
        const [found] = await this.query<{ there: boolean }>(
          replayed,
          'postgres',
          port,
        );
        return found?.there === true;
      });
      await this.query('CHECKPOINT', 'postgres', port);
    }
  }

  async remove(): Promise<void> {
    for (const host of this.hosts) await host.remove();
    for (const one of this.daemons) await one.end();
  }
}

async function etcdSettings(
  folder: string,
  client: number,
  peer: number,
): Promise<Record<string, string>> {
  const text = await shipped('etcd.env', [
    ['/var/lib/etcd/board', path.join(folder, 'etcd')],
    ['10.0.0.11:2379', `127.0.0.1:${client}`],
    [',db2=http://10.0.0.12:2380,db3=http://10.0.0.13:2380', ''],
    ['10.0.0.11:2380', `127.0.0.1:${peer}`],
  ]);
  const lines = text.matchAll(/^(ETCD_\w+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}
