import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type Clock, utcDay } from './clock.js';
import type { Config } from './config.js';
import type { Context } from './context.js';
import type { OpenDatabase } from './db/connect.js';
import { makeDataFolder } from './db/embedded/folders.js';
import { Events } from './db/events.js';
import { listen, type Notifications } from './db/notifications.js';
import type { Database } from './db/sql.js';
import { parseTrustProxy } from './http/network.js';
import { ReadLimiter } from './http/rate-limits/read-limiter.js';
import { NetworkKeys } from './http/rate-limits/write-limits.js';
import type { BoardKeys } from './ledger/board-keys.js';
import { type BoardIdentity, openBoard } from './ledger/genesis.js';
import { Ledger } from './ledger/ledger.js';
import { RollbackGuard, type Witnesses } from './ledger/rollback-guard.js';
import { endRotation } from './ledger/rotated-keys.js';
import type { Logger } from './logger.js';
import { ClockGuard } from './operations/clock-guard.js';
import { Recorder } from './stats/recorder.js';

export type Opened = {
  context: Context;
  clockGuard: ClockGuard;
  recorder: Recorder;
  notifications: Notifications;
  /** Ends every wait of the node. */
  stopper: AbortController;
  /** Distinguishes processes that share a database. */
  instance: string;
};

type Parts = {
  config: Config;
  clock: Clock;
  log: Logger;
  opened: OpenDatabase;
  /** Made by the mesh. */
  witnesses: (db: Database, keys: BoardKeys) => Witnesses;
  timeoutFactor: number;
};

/** Wakes this process when another one commits. */
type Hearing = {
  events: Events;
  instance: string;
  guard: RollbackGuard;
  notifications: Notifications;
};

/**
 * No client is answered yet. The notification connection is opened before keys
 * are read: commands that change keys recognise a node by it.
 */
export async function openContext(parts: Parts): Promise<Opened> {
  const { connection, reads: sql, writes: db, replicas } = parts.opened;
  const events = new Events();
  const instance = randomBytes(8).toString('hex');
  const { log, config } = parts;
  const guard = new RollbackGuard({ db, dataDir: config.dataDir, log });
  replicas?.showUpTo(() => guard.memory.end);
  const notifications = await listen({
    connection,
    sql,
    events,
    instance,
    log,
    replicas,
    memory: guard.memory,
  });
  try {
    return await openLog(parts, { events, instance, guard, notifications });
  } catch (error) {
    await notifications.stop();
    throw error;
  }
}

async function openLog(parts: Parts, hearing: Hearing): Promise<Opened> {
  const { config, clock, log, opened, witnesses, timeoutFactor } = parts;
  const { reads, writes, replicas } = opened;
  const { events, instance, guard, notifications } = hearing;
  const clockGuard = new ClockGuard({
    clock,
    db: writes,
    dataDir: config.dataDir,
    log,
  });
  const asking = (own: BoardIdentity) => guard.ask(witnesses(writes, own.keys));
  const { own, begun } = await openBoard(writes, config, clock, {
    mayAppend: async (named) => {
      asking(named);
      await guard.check();
      return guard.closed === null;
    },
    mayBegin: async (named) => {
      asking(named);
      return await guard.mayBegin();
    },
  });
  const { board, origin, keys } = own;
  await makeDataFolder(config.dataDir);
  await endRotation(config.dataDir);
  asking(own);
  if (!begun) await guard.check();
  warnOfLogBegin(config, clock, log);
  const stopper = new AbortController();
  setMaxListeners(0, stopper.signal);
  const ledger = new Ledger({
    db: writes,
    logKey: keys.log,
    clock,
    events,
    log,
    instance,
    guards: [guard, clockGuard],
    memory: guard.memory,
    timeoutFactor,
  });
  const networkKeys = new NetworkKeys(writes, clock);
  const recorder = new Recorder({ sql: writes, keys: networkKeys, clock, log });
  const context: Context = {
    config,
    limits: config.limits,
    clock,
    log,
    reads,
    slowReads: opened.slowReads,
    writes,
    replicas,
    board: { name: board, origin },
    ledger,
    guard,
    clockGuard,
    keys,
    networkKeys,
    readLimiter: new ReadLimiter(config.limits, clock),
    trustedProxies: parseTrustProxy(config.trustProxy),
    events,
    timeoutFactor,
    telemetry: recorder,
    stopping: stopper.signal,
  };
  return { context, clockGuard, recorder, notifications, stopper, instance };
}

/** Another day's LOG_BEGIN has no effect. */
function warnOfLogBegin({ logBegin }: Config, clock: Clock, log: Logger): void {
  const today = utcDay(clock.now());
  if (logBegin === null || logBegin === today) return;
  log.warn(
    { log_begin: logBegin, today },
    'LOG_BEGIN is not today (UTC) and was ignored; remove it',
  );
}
