import { randomBytes } from 'node:crypto';
import { openIdentity } from '../../protocol/identity.js';
import { formatVkey } from '../../protocol/vkey.js';
import { systemClock } from '../clock.js';
import { type Config, parseConfig } from '../config.js';
import type { CommandContext } from '../dashboard/command.js';
import { LogState } from '../db/entities/log.js';
import { Events } from '../db/events.js';
import type { Database } from '../db/sql.js';
import { BoardError } from '../errors.js';
import { type BoardKeys, boardKeys } from '../ledger/board-keys.js';
import { Ledger } from '../ledger/ledger.js';
import { OWN_LOG } from '../ledger/own-log.sql.js';
import { RollbackGuard } from '../ledger/rollback-guard.js';
import { silentLogger } from '../logger.js';
import { isClockAhead } from '../operations/clock-guard.js';
import { CommandFailure, refusal } from './failure.js';
import {
  requireMigrated,
  requireSeed,
  withOwnDatabase,
} from './tool-database.js';

export type LocalContext = CommandContext;

/**
 * Acts as an operator, beside a running node or without one. Makes no log, key
 * or identity.
 * @throws CommandFailure with one sentence; facts have a BoardError's members
 *   (`--json`)
 */
export async function withLocalBoard<T>(
  work: (context: LocalContext) => Promise<T>,
): Promise<T> {
  const config = parseConfig(process.env);
  return await withOwnDatabase(config, async (db) => {
    await requireMigrated(db);
    const guard = new RollbackGuard({
      db,
      dataDir: config.dataDir,
      log: silentLogger,
    });
    await guard.check();
    await assertClockIsRight(db, config);
    const context = await contextOf(config, db, guard);
    try {
      return await work(context);
    } catch (error) {
      throw error instanceof BoardError ? refusal(error) : error;
    } finally {
      await context.ledger.stop();
    }
  });
}

/** Times come from the machine (spec/board.md §16.3). */
async function assertClockIsRight(
  db: Database,
  { dataDir }: Config,
): Promise<void> {
  if (!(await isClockAhead(db, dataDir))) return;
  throw new CommandFailure(
    'The clock of the machine jumped ahead and writes are closed; set it right by NTP, or run "reserve-board clock accept" if it is right now.',
  );
}

async function contextOf(
  config: Config,
  db: Database,
  guard: RollbackGuard,
): Promise<LocalContext> {
  const log = await db.manager.findOneBy(LogState, { originId: OWN_LOG });
  if (log === null) {
    throw new CommandFailure(
      'This board was never started; run "reserve-board start" first.',
    );
  }
  const keys = await keysOf(config, log);
  const identity = openIdentity(log.identity);
  // As readers know it; this shell's BASE_URL may differ.
  const baseUrl = identity.ok ? identity.value.url : config.baseUrl;
  const events = new Events();
  return {
    config: { ...config, baseUrl },
    limits: config.limits,
    clock: systemClock,
    keys,
    reads: db,
    writes: db,
    replicas: null,
    board: { name: log.board, origin: log.origin },
    events,
    peers: null,
    telemetry: { flush: async () => {} }, // counts live in the node's process
    ledger: new Ledger({
      db,
      logKey: keys.log,
      clock: systemClock,
      events,
      log: silentLogger,
      instance: randomBytes(8).toString('hex'),
      guards: [guard],
    }),
  };
}

async function keysOf(config: Config, log: LogState): Promise<BoardKeys> {
  const boardSeed = await requireSeed(config);
  const keys = boardKeys({ ...config, boardSeed }, log.board, log.origin);
  if (log.logVkey === formatVkey(keys.log.vkey)) return keys;
  throw new CommandFailure(
    `The seed in use does not belong to the log of ${log.board}; set DATA_DIR or BOARD_SEED to those of the board.`,
  );
}
