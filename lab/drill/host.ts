import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRoot, newAccount } from '../../server/db/embedded/account.js';
import {
  Daemon,
  ended,
  familyOf,
  signalAll,
} from '../../test/support/daemon.js';
import { freePort } from '../../test/support/free-port.js';
import type { Programs } from '../../test/support/programs.js';
import { shipped } from '../../test/support/shipped.js';
import { startTcpGate, type TcpGate } from '../../test/support/tcp-gate.js';
import { until } from '../../test/support/until.js';

/** By which ways others reach the host, and it reaches etcd. */
type Ways = { clients: TcpGate; peers: TcpGate; rest: TcpGate; etcd: TcpGate };

const portOf = ({ url }: TcpGate) => new URL(url).port;
const local = (port: number | string) => `tcp://127.0.0.1:${port}`;

export const FAULTS = ['killed', 'host killed', 'stopped', 'cut'] as const;
export type Fault = (typeof FAULTS)[number];

export class Host {
  private hurt: Fault | null = null;
  private pids: number[] = [];

  private constructor(
    readonly name: string,
    private readonly folder: string,
    readonly ways: Ways,
    private readonly patroni: Daemon,
  ) {}

  static async create(
    name: string,
    folder: string,
    programs: Programs,
    etcd: number,
  ): Promise<Host> {
    const [port, rest] = [await freePort(), await freePort()];
    const ways = {
      clients: await startTcpGate(local(port)),
      peers: await startTcpGate(local(port)),
      rest: await startTcpGate(local(rest)),
      etcd: await startTcpGate(local(etcd)),
    };
    const as = isRoot() ? newAccount() : null;
    const own = path.join(folder, name);
    await mkdir(own, { mode: 0o700 });
    const config = path.join(own, 'patroni.yml');
    const text = await shipped('patroni.yml', [
      [
        'hosts: 10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379',
        // The gate alone, not what etcd says of its own address.
        `hosts: 127.0.0.1:${portOf(ways.etcd)}\n  use_proxies: true`,
      ],
      ['name: db1', `name: ${name}`],
      ['listen: 10.0.0.11:8008', `listen: 127.0.0.1:${rest}`],
      [
        'connect_address: 10.0.0.11:8008',
        `connect_address: 127.0.0.1:${portOf(ways.rest)}`,
      ],
      ['listen: 10.0.0.11:5432', `listen: 127.0.0.1:${port}`],
      [
        'connect_address: 10.0.0.11:5432',
        `connect_address: 127.0.0.1:${portOf(ways.peers)}`,
      ],
      ['10.0.0.0/24', '127.0.0.0/8'],
      ['/var/lib/postgresql/15/board', path.join(own, 'data')],
      ['/usr/lib/postgresql/15/bin', programs.postgres],
      ['/var/lib/postgresql/board.pgpass', path.join(own, 'pgpass')],
      ['/var/run/postgresql', own],
    ]);
    await writeFile(config, text, { mode: 0o600 });
    for (const file of as === null ? [] : [own, config]) {
      await chown(file, as?.uid ?? 0, as?.gid ?? 0);
    }
    const patroni = new Daemon({
      file: programs.pathOf('patroni'),
      line: [config],
      log: path.join(folder, `${name}.log`),
      env: { HOME: own },
      as,
    });
    return new Host(name, own, ways, patroni);
  }

  start(): void {
    this.patroni.start();
  }

  get port(): string {
    return portOf(this.ways.clients);
  }

  get restPort(): string {
    return portOf(this.ways.rest);
  }

  url(user: string, database: string): string {
    return `postgresql://${user}@127.0.0.1:${this.port}/${database}`;
  }

  private async postgres(): Promise<number[]> {
    const file = path.join(this.folder, 'data', 'postmaster.pid');
    const text = await readFile(file, 'utf8').catch(() => '');
    const pid = Number(text.split('\n')[0]);
    // 0 would be this very group.
    return pid > 0 ? await familyOf(pid) : [];
  }

  /** Does it, and tells since when the host answers nothing. */
  async suffer(fault: Fault): Promise<number> {
    this.hurt = fault;
    if (fault === 'cut') {
      for (const way of Object.values(this.ways)) way.hold();
      return performance.now();
    }
    const postgres = await this.postgres();
    if (postgres.length === 0) throw new Error(`${this.name} has no server`);
    const patroni = fault === 'killed' ? [] : await familyOf(this.patroni.pid);
    this.pids = [...patroni, ...postgres];
    signalAll(this.pids, fault === 'stopped' ? 'SIGSTOP' : 'SIGKILL');
    const since = performance.now();
    if (fault !== 'stopped') await ended(this.pids);
    return since;
  }

  /** Ends what it suffers. Patroni then makes it a member again. */
  async recover(): Promise<void> {
    const { hurt } = this;
    this.hurt = null;
    for (const way of Object.values(this.ways)) way.pass();
    if (hurt === 'stopped') signalAll(this.pids, 'SIGCONT');
    if (hurt === 'host killed') this.start();
  }

  /** What Patroni says of it, such as 200 of `/primary`; 0 without an answer. */
  async says(about: string): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.restPort}${about}`, {
      signal: AbortSignal.timeout(2000),
    }).catch(() => null);
    await answer?.text();
    return answer?.status ?? 0;
  }

  async configure(changes: object): Promise<void> {
    await until('the configuration of Patroni', async () => {
      const answer = await fetch(`http://127.0.0.1:${this.restPort}/config`, {
        method: 'PATCH',
        headers: { Authorization: `Basic ${btoa('patroni:change-me-3')}` },
        body: JSON.stringify(changes),
      }).catch(() => null);
      await answer?.text();
      return answer?.status === 200;
    });
  }

  async remove(): Promise<void> {
    await this.recover();
    await this.patroni.end();
    const left = await this.postgres();
    signalAll(left, 'SIGKILL');
    await ended(left);
    for (const way of Object.values(this.ways)) await way.stop();
  }

  assertRuns(): void {
    if (this.hurt === null) this.patroni.assertRuns();
  }
}
