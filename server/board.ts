import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import type { PeerAdmin } from '../mesh/mesh-ports.js';
import { type Peering, peering } from '../mesh/peering.js';
import { agentLibrary, PeerClient } from '../mesh/pull/fetch/peer-client.js';
import { WebhookClient } from '../mesh/pull/fetch/webhook-client.js';
import { ownMirrors } from '../mesh/witness/own-mirrors.js';
import { BUILT_CLIENT } from './api-docs/index.js';
import { createApp } from './app.js';
import type { Clock } from './clock.js';
import type { Config } from './config.js';
import type { Context } from './context.js';
import { REFUSAL_MS } from './dashboard/auth/refuse-late.js';
import { PASSPHRASE_COST } from './dashboard/auth/scrypt-queue.js';
import { AdminSocket } from './dashboard/live/socket.js';
import { nodeGauges, poolGauges } from './dashboard/monitoring/gauges.js';
import { watchBoard } from './dashboard/monitoring/watch-board.js';
import { mailerOf } from './dashboard/notifications/mail.js';
import { notificationJobs } from './dashboard/notifications/notification-jobs.js';
import type { Ways } from './dashboard/notifications/send.js';
import { BUILT_DASHBOARD } from './dashboard/ui.js';
import { type OpenDatabase, openDatabase } from './db/connect.js';
import type { Located } from './db/locate.js';
import type { Notifications } from './db/notifications.js';
import { limitConnections } from './http/edge/connections.js';
import { classesOf, createHttpServer } from './http/edge/server.js';
import {
  closeServer,
  keepAliveTimeout,
  type ServerOptions,
} from './http/edge/timeouts.js';
import {
  fastPaths,
  offerToCache,
  ResponseCache,
} from './http/fast/response-cache.js';
import { cryptoReady } from './ledger/board-keys.js';
import { HeadFileWriter } from './ledger/head-file-writer.js';
import { readStartFiles } from './ledger/start-plan.js';
import { createLogger, type Logger } from './logger.js';
import { mcpLibrary } from './mcp/index.js';
import { openContext } from './open-context.js';
import { nodeClock } from './operations/clock-file.js';
import type { ClockGuard } from './operations/clock-guard.js';
import { readinessOf } from './operations/health.js';
import { certificateEnd } from './operations/index.js';
import { jobList } from './operations/jobs/job-list.js';
import { Jobs, type Run } from './operations/jobs/jobs.js';
import { restoreRequests } from './posting/restore-requests.sql.js';
import type { Metrics } from './stats/metrics.js';
import { recordRead, Visits } from './stats/record-requests.js';
import type { Recorder } from './stats/recorder.js';

const DRAIN_MS = 8000;
/** In ms after the start. */
const LOAD_REST_MS = 1000;

export type BoardOptions = {
  clock?: Clock;
  log?: Logger;
  /** Multiplies waits for the database, which end as 503; default 1. */
  timeoutFactor?: number;
  /** scrypt's N; less in tests. */
  passphraseCost?: number;
  /** Refused passphrases answer after a multiple; 0 in tests. */
  refusalMs?: number;
  /** Less in tests of slow clients. */
  times?: ServerOptions;
  /** By default the client that was built with the node. */
  clientFile?: string;
  /** By default that of `npm run build`. */
  dashboard?: string;
  /** A database whose search or start began earlier; stopped here. */
  located?: Promise<Located>;
};

async function metricsOf(context: Context): Promise<Metrics | null> {
  if (context.config.metricsPort === null) return null;
  const { Metrics } = await import('./stats/metrics.js');
  return new Metrics(() => readinessOf(context));
}

/** Errors are ignored: the first use loads it again and reports them. */
const loadRest = () => Promise.allSettled([mcpLibrary(), agentLibrary()]);

type Background = {
  clockGuard: ClockGuard;
  recorder: Recorder;
  jobs: Jobs;
  /** Jobs that wait for other machines. */
  notificationJobs: Jobs;
  webhooks: WebhookClient;
  headKeeper: HeadFileWriter;
  dashboards: AdminSocket;
  peers: Peering;
  /** Null without METRICS_PORT. */
  metrics: Metrics | null;
};

/** The composition root: `create` opens, `start` listens, `stop` drains. */
export class Board {
  private constructor(
    readonly context: Context,
    readonly app: Express,
    private readonly server: Server,
    private readonly opened: OpenDatabase,
    private readonly notifications: Notifications,
    private readonly stopper: AbortController,
    /** Null with `FAST_PATHS=off`. */
    readonly responseCache: ResponseCache | null,
    readonly background: Background,
  ) {}

  static async create(
    config: Config,
    options: BoardOptions = {},
  ): Promise<Board> {
    const how = {
      clock: options.clock ?? (await nodeClock(config.dataDir)),
      log: options.log ?? createLogger(config.logLevel),
      timeoutFactor: options.timeoutFactor ?? 1,
      passphraseCost: options.passphraseCost ?? PASSPHRASE_COST,
      refusalMs: options.refusalMs ?? REFUSAL_MS,
      times: options.times ?? {},
      clientFile: options.clientFile ?? BUILT_CLIENT,
      dashboard: options.dashboard ?? BUILT_DASHBOARD,
    };
    const { located } = options;
    // A start that is refused for its files makes no database.
    if (located === undefined) await readStartFiles(config);
    const { log, timeoutFactor } = how;
    const opened = await openDatabase(config, log, timeoutFactor, located);
    try {
      await cryptoReady();
      return await Board.compose(config, opened, how);
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  private static async compose(
    config: Config,
    opened: OpenDatabase,
    how: Required<Omit<BoardOptions, 'located'>>,
  ): Promise<Board> {
    const client = new PeerClient({
      allowHttp: config.meshAllowHttp,
      allowPrivate: config.meshAllowPrivate,
    });
    const { clock, log, timeoutFactor } = how;
    const inside = await openContext({
      config,
      opened,
      clock,
      log,
      timeoutFactor,
      witnesses: (db, keys) => ownMirrors({ db, client, keys, timeoutFactor }),
    });
    const { context, recorder, notifications, stopper, instance } = inside;
    const { connection } = opened;
    const peers = peering({ ctx: context, client, connection, instance });
    const metrics = await metricsOf(context);
    const certificate = certificateEnd(config.baseUrl, () => clock.now());
    const onRun = (run: Run) => metrics?.jobRan(run);
    const ran = { ...context, instance, onRun };
    const webhooks = new WebhookClient({
      origins: config.webhookPrivateOrigins,
    });
    const ways: Ways = {
      webhook: (...call) => webhooks.deliver(...call),
      mail: mailerOf(config),
    };
    const jobs = new Jobs(
      ran,
      jobList(context, () => watchBoard(context, peers.admin, certificate)),
    );
    metrics?.add(nodeGauges(context, peers.admin, certificate));
    metrics?.add(poolGauges(opened.pressure));
    const visits = new Visits(context.clock, recorder);
    const responseCache = config.fastPaths
      ? new ResponseCache(clock, notifications.freshness)
      : null;
    const { clientFile, dashboard, passphraseCost, refusalMs } = how;
    const app = createApp(context, {
      recorder,
      visits,
      metrics,
      clientFile,
      cached: responseCache && offerToCache(responseCache),
      mesh: peers,
      admin: { built: dashboard, passphraseCost, refusalMs },
    });
    const listener =
      responseCache === null
        ? app
        : fastPaths(app, responseCache, {
            ...context,
            record: (req, network) => recordRead(visits, req, network),
            time: metrics && ((...read) => metrics.timed(...read)),
          });
    const server = createHttpServer(listener, {
      ...classesOf(app),
      keepAliveTimeout: keepAliveTimeout(config.trustProxy),
      ...how.times,
      stopping: stopper.signal,
    });
    limitConnections(server, {
      trusted: context.trustedProxies,
      waitsPerNetwork: config.limits.waits_per_network,
    });
    const dashboards = new AdminSocket(context, peers.admin);
    dashboards.attach(server);
    const opening = [context, app, server, opened, notifications] as const;
    return new Board(...opening, stopper, responseCache, {
      clockGuard: inside.clockGuard,
      recorder,
      jobs,
      notificationJobs: new Jobs(ran, notificationJobs(context, ways)),
      webhooks,
      dashboards,
      headKeeper: new HeadFileWriter({
        ...context,
        db: context.writes,
        dataDir: config.dataDir,
        memory: context.guard.memory,
      }),
      peers,
      metrics,
    });
  }

  get peerAdmin(): PeerAdmin {
    return this.background.peers.admin;
  }

  /**
   * Returns the port (`PORT=0` chooses one).
   * @param announce gets the port; what it returns is called before the first
   *   request
   */
  async start(
    announce?: (port: number) => Promise<() => void>,
  ): Promise<number> {
    const { host, port, roles, metricsPort, metricsHost } = this.context.config;
    const { jobs, notificationJobs, metrics, headKeeper, peers } =
      this.background;
    await this.context.guard.check();
    this.context.guard.start();
    await this.background.clockGuard.start();
    await headKeeper.start();
    await restoreRequests(this.context);
    // The port is known only after listening.
    const say = port === 0 ? undefined : await announce?.(port);
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        say?.();
        resolve();
      });
    });
    const taken = (this.server.address() as AddressInfo).port;
    if (say === undefined) (await announce?.(taken))?.();
    this.background.dashboards.start();
    if (metricsPort !== null) await metrics?.listen(metricsPort, metricsHost);
    if (roles.includes('jobs')) {
      await jobs.start();
      await notificationJobs.start();
    }
    if (roles.includes('mesh')) peers.start();
    const rest = setTimeout(() => void loadRest(), LOAD_REST_MS).unref();
    const { signal } = this.stopper;
    signal.addEventListener('abort', () => clearTimeout(rest), { once: true });
    return taken;
  }

  /**
   * Not ready → long polls answered → publishes finished → connections, pools
   * and embedded database closed. Idempotent, within 10 s (spec/board.md
   * §14.6).
   */
  async stop(): Promise<void> {
    if (this.stopper.signal.aborted) return;
    this.stopper.abort();
    const { jobs, recorder, metrics, headKeeper, peers, dashboards } =
      this.background;
    await dashboards.stop();
    await closeServer(this.server, DRAIN_MS);
    // After publishes that were under way.
    await jobs.stop();
    await this.background.notificationJobs.stop();
    await this.background.webhooks.close();
    await peers.stopWork();
    await this.context.ledger.stop();
    await peers.witness.stop();
    await this.context.guard.stop();
    await this.background.clockGuard.stop();
    await headKeeper.stop();
    await recorder.stop();
    await metrics?.stop();
    await this.notifications.stop();
    await this.opened.close();
  }
}
