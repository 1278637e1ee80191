import { rm } from 'node:fs/promises';
import { utcDay } from '../../server/clock.js';
import { NodeProcess } from '../../test/faults/node-process.js';
import { type Outcome, Writers } from '../../test/faults/writers.js';
import { freePort } from '../../test/support/free-port.js';
import { inTime } from '../../test/support/in-time.js';
import { LIFTED } from '../../test/support/lifted.js';
import type { Programs } from '../../test/support/programs.js';
import { randomOf } from '../../test/support/random.js';
import { until } from '../../test/support/until.js';
import { Audience } from './audience.js';
import { DatabaseCluster } from './cluster.js';

const LOOKERS = 6;
const FOLLOWERS = 4;

export type StageOptions = {
  programs: Programs;
  seed: number;
  writers: number;
  /** The program of the release to begin with; the present one by default. */
  main?: string;
};

export type Process = { node: NodeProcess; metrics: number };

export class Stage {
  private constructor(
    readonly cluster: DatabaseCluster,
    readonly processes: readonly Process[],
    readonly writers: Writers,
    readonly audience: Audience,
  ) {}

  static async use(
    options: StageOptions,
    act: (stage: Stage) => Promise<void>,
  ): Promise<void> {
    const stage = await Stage.create(options);
    try {
      await act(stage);
    } finally {
      await stage.remove();
    }
  }

  private static async create(options: StageOptions): Promise<Stage> {
    const { programs, seed, main } = options;
    const random = randomOf(seed);
    const ports = [await freePort(), await freePort()];
    const cluster = await DatabaseCluster.create(programs, ports);
    const { url } = cluster;
    const writers = new Writers({
      on: { url, query: (sql) => cluster.query(sql) },
      ...{ count: options.writers, random, mayHangUp: true },
    });
    const { history } = writers;
    const audience = new Audience({
      ...{ url, history, random },
      ...{ lookers: LOOKERS, followers: FOLLOWERS },
    });
    const processes: Process[] = [];
    const stage = new Stage(cluster, processes, writers, audience);
    for (const port of ports) {
      processes.push(await processOf(cluster, port, main));
    }
    return stage;
  }

  async begin(): Promise<void> {
    await this.ready();
    this.writers.start();
    await this.writers.progress(20);
    this.audience.start();
  }

  async ready(): Promise<void> {
    for (const { node } of this.processes) await node.ready();
  }

  /** Waits until every process is ready, and a standby answers its reads. */
  async whole(as?: 'synchronous' | 'asynchronous'): Promise<void> {
    await this.cluster.whole(as);
    await this.cluster.restartPoint();
    await this.ready();
    for (const { metrics } of this.processes) {
      await until('a standby that serves', async () => {
        const address = `http://127.0.0.1:${metrics}/metrics`;
        const answer = await fetch(address).catch(() => null);
        const text = (await answer?.text()) ?? '';
        return /^board_replica_serving\{.*\} 1$/m.test(text);
      });
    }
  }

  async check(): Promise<Outcome> {
    const { writers, audience } = this;
    await inTime('the end of the writers', writers.stop());
    const follows = inTime('the end of the readers', audience.stop());
    writers.history.push(...(await follows));
    const outcome = await writers.check();
    outcome.violations.push(...audience.violations);
    return outcome;
  }

  private async remove(): Promise<void> {
    for (const { node } of this.processes) {
      if (node.alive) await node.end('SIGTERM');
      await rm(node.dataDir, { recursive: true, force: true });
    }
    await this.cluster.remove();
  }
}

async function processOf(
  cluster: DatabaseCluster,
  port: number,
  main?: string,
): Promise<Process> {
  const metrics = await freePort();
  const env = {
    BASE_URL: cluster.url,
    DATABASE_URL: cluster.databaseUrl,
    DATABASE_REPLICA_URLS: cluster.replicaUrls,
    BOARD_SEED: '5e'.repeat(32),
    LOG_BEGIN: utcDay(Date.now()),
    BOARD_LIMITS: JSON.stringify({
      ...LIFTED,
      reads_per_network_minute: 1_000_000,
    }),
    METRICS_PORT: String(metrics),
    MESH_ALLOW_HTTP: 'on',
    MESH_ALLOW_PRIVATE: 'on',
  };
  const release = main === undefined ? {} : { main };
  return { node: await NodeProcess.create({ port, env, ...release }), metrics };
}
