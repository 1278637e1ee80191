import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { logContract } from '../mesh/log/contract.js';
import { logRouter } from '../mesh/log/router.js';
import { ready as signingReady } from '../protocol/signing.js';
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
import { parseTrustProxy } from './http/network.js';
import { ReadLimiter } from './http/read-limiter.js';
import { createHttpServer, KEEP_ALIVE_BEHIND_PROXY_MS } from './http/server.js';
import { jobList } from './jobs/job-list.js';
import { Jobs } from './jobs/jobs.js';
import { loadBoardSeed } from './keys.js';
import { openBoard } from './ledger/genesis.js';
import { Ledger } from './ledger/ledger.js';
import { createLogger, type Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { NetworkKeys } from './network-keys.js';
import { makeDailySelection } from './selections/daily-selection.js';
import { Recorder } from './telemetry/recorder.js';
import { TicketDesk } from './tickets/ticket-desk.js';

const DRAIN_MS = 8000;

export type BoardOptions = { clock?: Clock; log?: Logger };

/** What works beside the requests. */
type Background = {
  recorder: Recorder;
  jobs: Jobs;
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
    const { board, origin, keys } = await openBoard(
      writes,
      config,
      seed,
      clock,
    );
    const events = new Events();
    const stopper = new AbortController();
    const instance = randomBytes(8).toString('hex');
    const ledger = new Ledger({
      pool: poolOf(opened.writes),
      logKey: keys.log,
      clock,
      events,
      log,
      instance,
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
      tickets: new TicketDesk(writes),
      keys,
      networkKeys,
      readLimiter: new ReadLimiter(config.limits, clock),
      trustedProxies: parseTrustProxy(config.trustProxy),
      events,
      telemetry: recorder,
      stopping: stopper.signal,
    };
    const metrics = config.metricsPort === null ? null : new Metrics();
    metrics?.observe(context);
    const foreign = { closeDuePolls, makeDailySelection };
    const jobs = new Jobs(
      { ...context, instance, onRun: (run) => metrics?.jobRan(run) },
      jobList(context, foreign),
    );
    const app = createApp(context, {
      log: logRouter(context),
      recorder,
      metrics,
      contracts: [logContract()],
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
    return new Board(context, app, server, opened, notifications, stopper, {
      recorder,
      jobs,
      metrics,
    });
  }

  /** Listens; answers with the port taken (`PORT=0` chooses one). */
  async start(): Promise<number> {
    const { host, port, roles, metricsPort } = this.context.config;
    const { jobs, metrics } = this.background;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    if (metricsPort !== null) await metrics?.listen(metricsPort);
    if (roles.includes('jobs')) await jobs.start();
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
    const { jobs, recorder, metrics } = this.background;
    const closed = new Promise<void>((resolve) => {
      if (!this.server.listening) resolve();
      else this.server.close(() => resolve());
    });
    // A connection that finishes its answer only now is idle only then.
    const idle = setInterval(() => this.server.closeIdleConnections(), 50);
    const late = setTimeout(() => {
      this.server.closeAllConnections();
    }, DRAIN_MS);
    await closed;
    clearTimeout(late);
    clearInterval(idle);
    // Only now: a publish that was under way may still have to come here.
    await jobs.stop();
    await this.context.ledger.stop();
    await recorder.stop();
    await metrics?.stop();
    await this.notifications.stop();
    await this.opened.close();
  }
}
