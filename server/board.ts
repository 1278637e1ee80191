import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { boardsContract } from '../mesh/boards/contract.js';
import { mirrors } from '../mesh/boards/mirrors.js';
import { boardsRouter } from '../mesh/boards/router.js';
import { logContract } from '../mesh/log/contract.js';
import { logRouter } from '../mesh/log/router.js';
import { Mesh } from '../mesh/mesh.js';
import { type Peering, peering } from '../mesh/peering.js';
import { PeerClient } from '../mesh/pull/peer-client.js';
import { relayContract } from '../mesh/relay/contract.js';
import { Elsewhere } from '../mesh/relay/elsewhere.js';
import { relayRouter } from '../mesh/relay/router.js';
import { ownMirrors } from '../mesh/witness/own-mirrors.js';
import { ready as signingReady } from '../protocol/signing.js';
import { watchBoard } from './admin/actions/watch.js';
import { AdminSocket } from './admin/socket.js';
import { createApp } from './app.js';
import { closeDuePolls } from './ballots/close-due-polls.js';
import { type Clock, systemClock } from './clock.js';
import type { Config } from './config.js';
import type { Context } from './context.js';
import { type OpenDatabase, openDatabase } from './db/connect.js';
import { poolOf } from './db/data-source.js';
import { listen, type Notifications } from './db/notifications.js';
import { database } from './db/sql.js';
import { Events } from './events.js';
import { closeServer } from './http/close-server.js';
import { parseTrustProxy } from './http/network.js';
import { ReadLimiter } from './http/read-limiter.js';
import { createHttpServer, KEEP_ALIVE_BEHIND_PROXY_MS } from './http/server.js';
import { jobList } from './jobs/job-list.js';
import { Jobs } from './jobs/jobs.js';
import { loadBoardSeed } from './keys.js';
import { openBoard } from './ledger/genesis.js';
import { Ledger } from './ledger/ledger.js';
import { LogGuard } from './log-guard.js';
import { LogHeadKeeper } from './log-head-keeper.js';
import { createLogger, type Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { NetworkKeys } from './network-keys.js';
import type { PeerDesk } from './peer-desk.js';
import { makeDailySelection } from './selections/daily-selection.js';
import { Recorder } from './telemetry/recorder.js';
import { TicketDesk } from './tickets/ticket-desk.js';
import { restoreRequests } from './write/restore-requests.js';

/** What the command line does with peers; it loads them late. */
export * as meshCommands from '../mesh/cli/commands.js';

const DRAIN_MS = 8000;

export type BoardOptions = { clock?: Clock; log?: Logger };

/** What works beside the requests. */
type Background = {
  recorder: Recorder;
  jobs: Jobs;
  headKeeper: LogHeadKeeper;
  dashboards: AdminSocket;
  peers: Peering;
  outbound: PeerClient;
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
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    await signingReady;
    const seed = await loadBoardSeed(config.boardSeed, config.dataDir);
    const opened = await openDatabase(config, log);
    try {
      return await Board.compose(config, clock, log, seed, opened);
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  private static async compose(
    config: Config,
    clock: Clock,
    log: Logger,
    seed: string,
    opened: OpenDatabase,
  ): Promise<Board> {
    const writes = database(poolOf(opened.writes));
    const reads = database(poolOf(opened.reads));
    const guard = new LogGuard({ db: writes, dataDir: config.dataDir, log });
    const outbound = new PeerClient({
      allowHttp: config.meshAllowHttp,
      allowPrivate: config.meshAllowPrivate,
    });
    const { board, origin, keys } = await openBoard(
      writes,
      config,
      seed,
      clock,
      async ({ keys: { log: own } }) => {
        const asked = { db: writes, client: outbound, logVkey: own.vkey };
        guard.ask(ownMirrors(asked));
        await guard.check();
        return guard.closed === null;
      },
    );
    const ours = { db: writes, client: outbound, logVkey: keys.log.vkey };
    guard.ask(ownMirrors(ours));
    const events = new Events();
    const stopper = new AbortController();
    // Every kind of wait listens to it.
    setMaxListeners(0, stopper.signal);
    const instance = randomBytes(8).toString('hex');
    const ledger = new Ledger({
      pool: poolOf(opened.writes),
      logKey: keys.log,
      clock,
      events,
      log,
      instance,
      guard,
    });
    const { connection } = opened;
    const notifications = await listen({
      connection,
      sql: reads,
      events,
      instance,
      log,
    });
    const networkKeys = new NetworkKeys(writes, clock);
    const recorder = new Recorder({
      sql: writes,
      keys: networkKeys,
      clock,
      log,
    });
    const context: Context = {
      config,
      limits: config.limits,
      clock,
      log,
      reads,
      writes,
      board: { name: board, origin },
      ledger,
      guard,
      tickets: new TicketDesk(writes),
      keys,
      networkKeys,
      readLimiter: new ReadLimiter(config.limits, clock),
      trustedProxies: parseTrustProxy(config.trustProxy),
      events,
      mirrors: mirrors(reads, () => context),
      telemetry: recorder,
      stopping: stopper.signal,
    };
    const metrics = config.metricsPort === null ? null : new Metrics();
    metrics?.observe(context);
    const foreign = { closeDuePolls, makeDailySelection, watchBoard };
    const jobs = new Jobs(
      { ...context, instance, onRun: (run) => metrics?.jobRan(run) },
      jobList(context, foreign),
    );
    const elsewhere = new Elsewhere(context, outbound);
    const peers = peering(context, outbound);
    const mesh = new Mesh({
      ctx: context,
      connection,
      client: outbound,
      instance,
      seams: peers.witness.seams,
    });
    const setting = { limits: config.limits, baseUrl: config.baseUrl };
    const app = createApp(context, {
      log: logRouter(context),
      mesh: [...peers.routers, relayRouter(context), boardsRouter(context)],
      others: elsewhere,
      peers: peers.desk,
      recorder,
      metrics,
      contracts: [
        logContract(),
        relayContract(setting),
        ...peers.contracts,
        boardsContract(setting),
      ],
    });
    const server = createHttpServer(
      app,
      config.trustProxy === ''
        ? {}
        : { keepAliveTimeout: KEEP_ALIVE_BEHIND_PROXY_MS },
    );
    server.prependListener('request', (_req, res) => {
      // Else a busy client keeps its connection, and with it the node, alive.
      if (stopper.signal.aborted) res.setHeader('Connection', 'close');
    });
    const dashboards = new AdminSocket(context, peers.desk);
    dashboards.attach(server);
    return new Board(context, app, server, opened, notifications, stopper, {
      recorder,
      jobs,
      dashboards,
      headKeeper: new LogHeadKeeper({
        ...context,
        db: writes,
        dataDir: config.dataDir,
      }),
      outbound,
      peers,
      elsewhere,
      mesh,
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
    const { jobs, metrics, headKeeper, elsewhere } = this.background;
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
    if (roles.includes('mesh')) elsewhere.start();
    if (roles.includes('mesh')) this.background.mesh.start();
    if (roles.includes('mesh')) this.background.peers.witness.start();
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Not ready any more → long polls answered with their cursors → publishes
   * finished → connections, pools and the embedded database closed. Idempotent
   * and over within 10 s (decisions §14.6).
   */
  async stop(): Promise<void> {
    if (this.stopper.signal.aborted) return;
    this.stopper.abort();
    const { jobs, recorder, metrics, headKeeper } = this.background;
    const { elsewhere, outbound } = this.background;
    await this.background.dashboards.stop();
    await closeServer(this.server, DRAIN_MS);
    // Only now: a publish that was under way may still have to come here.
    await jobs.stop();
    await this.background.mesh.stop();
    await elsewhere.stop();
    await outbound.close();
    await this.context.ledger.stop();
    await this.background.peers.witness.stop();
    await this.context.guard.stop();
    await headKeeper.stop();
    await recorder.stop();
    await metrics?.stop();
    await this.notifications.stop();
    await this.opened.close();
  }
}
