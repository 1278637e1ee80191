import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { mirrors } from '../mesh/boards/mirrors.js';
import type { Mesh } from '../mesh/mesh.js';
import type { PeerDesk } from '../mesh/mesh-ports.js';
import { type Peering, peering } from '../mesh/peering.js';
import { PeerClient } from '../mesh/pull/fetch/peer-client.js';
import type { Elsewhere } from '../mesh/relay/relay-service.js';
import { ownMirrors } from '../mesh/witness/own-mirrors.js';
import { createApp } from './app.js';
import { type Clock, systemClock } from './clock.js';
import type { Config } from './config.js';
import type { Context } from './context.js';
import { PASSPHRASE_COST } from './dashboard/auth/scrypt-queue.js';
import { watchBoard } from './dashboard/commands/watch.js';
import { AdminSocket } from './dashboard/live/socket.js';
import { type Located, type OpenDatabase, openDatabase } from './db/connect.js';
import type { Notifications } from './db/notifications.js';
import { closeServer } from './http/edge/close-server.js';
import { limitSockets } from './http/edge/connection-limit.js';
import {
  createHttpServer,
  KEEP_ALIVE_BEHIND_PROXY_MS,
} from './http/edge/server.js';
import { EarlyReads } from './http/fast/early-reads.js';
import { messageClasses } from './http/fast/express-prototypes.js';
import { hotReads } from './http/fast/hot-reads.js';
import { cryptoReady } from './ledger/crypto-ready.js';
import { LogHeadKeeper } from './ledger/head-file-writer.js';
import { readStartFiles } from './ledger/start-files.js';
import { createLogger, type Logger } from './logger.js';
import { mcpParts } from './mcp/parts.js';
import { type Lent, openContext } from './open-context.js';
import { jobList } from './operations/jobs/job-list.js';
import { Jobs } from './operations/jobs/jobs.js';
import { closeDuePolls } from './polls/close-due-polls.js';
import { restoreRequests } from './posting/restore-requests.js';
import { heldUpdates } from './reading/long-poll/listener.js';
import { UpdatesWaits } from './reading/long-poll/updates-waits.js';
import { makeDailySelection } from './selections/daily-selection.js';
import type { Metrics } from './stats/metrics.js';
import { recordRead } from './stats/record-requests.js';
import type { Recorder } from './stats/recorder.js';

const DRAIN_MS = 8000;
/** What no start needs is loaded so long after it. */
const LOAD_REST_MS = 1000;

export type BoardOptions = {
  clock?: Clock;
  log?: Logger;
  /**
   * Factor by which waits for the database may last longer than on a node,
   * where they end as 503; default 1.
   */
  patience?: number;
  /** N of scrypt for operators' passphrases; less in tests. */
  passphraseCost?: number;
  /**
   * The database, where it was begun to look for it (or to start it) while
   * this was still being loaded; from now on it is stopped here.
   */
  located?: Promise<Located>;
};

/** Loaded where somebody may ask for them. */
async function metricsOf(context: Context): Promise<Metrics | null> {
  if (context.config.metricsPort === null) return null;
  const { Metrics } = await import('./stats/metrics.js');
  const metrics = new Metrics();
  metrics.observe(context);
  return metrics;
}

/** Whoever needs it later is told what ails it. */
const loadRest = () => mcpParts().catch(() => {});

/** What works beside the requests. */
type Background = {
  recorder: Recorder;
  jobs: Jobs;
  headKeeper: LogHeadKeeper;
  dashboards: AdminSocket;
  peers: Peering;
  elsewhere: Elsewhere;
  mesh: Mesh;
  /** Null while METRICS_PORT is not set. */
  metrics: Metrics | null;
};

/**
 * One node: the composition root. `create` opens the database and never
 * listens, `start` listens, `stop` drains and closes everything.
 */
export class Board {
  private constructor(
    readonly context: Context,
    readonly app: Express,
    private readonly server: Server,
    private readonly opened: OpenDatabase,
    private readonly notifications: Notifications,
    private readonly stopper: AbortController,
    readonly background: Background,
  ) {}

  static async create(
    config: Config,
    options: BoardOptions = {},
  ): Promise<Board> {
    const clock = options.clock ?? systemClock;
    const log = options.log ?? createLogger(config.logLevel);
    const { patience = 1, passphraseCost = PASSPHRASE_COST, located } = options;
    // A start that is refused for its files makes no database.
    if (located === undefined) await readStartFiles(config);
    const opened = await openDatabase(config, log, patience, located);
    try {
      await cryptoReady();
      const tuning = { patience, passphraseCost };
      return await Board.compose(config, clock, log, opened, tuning);
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  private static async compose(
    config: Config,
    clock: Clock,
    log: Logger,
    opened: OpenDatabase,
    tuning: { patience: number; passphraseCost: number },
  ): Promise<Board> {
    const { patience } = tuning;
    const client = new PeerClient({
      allowHttp: config.meshAllowHttp,
      allowPrivate: config.meshAllowPrivate,
    });
    const lent: Lent = {
      witnesses: (db, logVkey) => ownMirrors({ db, client, logVkey, patience }),
      mirrors,
    };
    const inside = await openContext({
      config,
      clock,
      log,
      opened,
      lent,
      ...tuning,
    });
    const { context, recorder, notifications, stopper, instance } = inside;
    const { connection } = opened;
    const peers = peering({ ctx: context, client, connection, instance });
    const metrics = await metricsOf(context);
    const foreign = {
      closeDuePolls,
      makeDailySelection,
      watchBoard: (ctx: Context) => watchBoard(ctx, peers.desk),
    };
    const jobs = new Jobs(
      { ...context, instance, onRun: (run) => metrics?.jobRan(run) },
      jobList(context, foreign),
    );
    const waits = new UpdatesWaits(context);
    const app = createApp(context, {
      log: peers.log,
      mesh: peers.routers,
      meshEndpoints: peers.endpoints,
      relay: peers.elsewhere,
      updates: waits,
      peers: peers.desk,
      recorder,
      metrics,
      contracts: peers.contracts,
    });
    const early = new EarlyReads({
      ...context,
      record: (req, network) => recordRead(recorder, req, network),
      time: metrics && ((...read) => metrics.timed(...read)),
    });
    const held = heldUpdates(app, context, waits, early);
    const server = createHttpServer(
      hotReads(held, early, context.keptAnswers),
      {
        classes: messageClasses(app, stopper.signal),
        ...(config.trustProxy === ''
          ? {}
          : { keepAliveTimeout: KEEP_ALIVE_BEHIND_PROXY_MS }),
      },
    );
    limitSockets(server, {
      trusted: context.trustedProxies,
      waitsPerNetwork: config.limits.waits_per_network,
    });
    const dashboards = new AdminSocket(context, peers.desk);
    dashboards.attach(server);
    return new Board(context, app, server, opened, notifications, stopper, {
      recorder,
      jobs,
      dashboards,
      headKeeper: new LogHeadKeeper({
        ...context,
        db: context.writes,
        dataDir: config.dataDir,
      }),
      peers,
      elsewhere: peers.elsewhere,
      mesh: peers.mesh,
      metrics,
    });
  }

  /** What operators do with peers, for the dashboard. */
  get desk(): PeerDesk {
    return this.background.peers.desk;
  }

  /** Listens; answers with the port taken (`PORT=0` chooses one). */
  async start(): Promise<number> {
    const { host, port, roles, metricsPort } = this.context.config;
    const { jobs, metrics, headKeeper, peers } = this.background;
    await this.context.guard.check();
    this.context.guard.start();
    await headKeeper.start();
    await restoreRequests(this.context);
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    this.background.dashboards.start();
    if (metricsPort !== null) await metrics?.listen(metricsPort);
    if (roles.includes('jobs')) await jobs.start();
    if (roles.includes('mesh')) peers.start();
    const rest = setTimeout(() => void loadRest(), LOAD_REST_MS).unref();
    const { signal } = this.stopper;
    signal.addEventListener('abort', () => clearTimeout(rest), { once: true });
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Not ready any more → long polls answered with their cursors → publishes
   * finished → connections, pools and the embedded database closed. Idempotent
   * and over within 10 s (spec/board.md §14.6).
   */
  async stop(): Promise<void> {
    if (this.stopper.signal.aborted) return;
    this.stopper.abort();
    const { jobs, recorder, metrics, headKeeper, peers, dashboards } =
      this.background;
    await dashboards.stop();
    await closeServer(this.server, DRAIN_MS);
    // Only now: a publish that was under way may still have to come here.
    await jobs.stop();
    await peers.stopWork();
    await this.context.ledger.stop();
    await peers.witness.stop();
    await this.context.guard.stop();
    await headKeeper.stop();
    await recorder.stop();
    await metrics?.stop();
    await this.notifications.stop();
    await this.opened.close();
  }
}
