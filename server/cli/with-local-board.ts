import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { openIdentity } from '../../protocol/identity.js';
import { ready as signingReady } from '../../protocol/signing.js';
import { formatVkey } from '../../protocol/vkey.js';
import { systemClock } from '../clock.js';
import { type Config, parseConfig } from '../config.js';
import type { Desk } from '../dashboard/commands/action-context.js';
import { Events } from '../db/events.js';
import type { Database } from '../db/sql.js';
import { BoardError } from '../errors.js';
import { type BoardKeys, boardKeys } from '../ledger/board-keys.js';
import { Ledger } from '../ledger/ledger.js';
import { LogGuard } from '../ledger/rollback-guard.js';
import { silentLogger } from '../logger.js';
import { CommandFailure } from './failure.js';
import { requireSeed } from './own-seed.js';
import { refusal } from './refusal.js';
import { requireMigrated, withOwnDatabase } from './tool-database.js';

type Kept = {
  board: string;
  origin: string;
  log_vkey: string;
  identity: string;
};

/**
 * Lets a command act as an operator on the node's own database, beside a
 * running node or without one: its processes meet at the head lock and hear of
 * the commit by NOTIFY. No log, key or identity is made here.
 *
 * @throws CommandFailure with one sentence; a BoardError's members stand in
 * its facts (`--json`).
 */
export async function withOwnDesk<T>(
  work: (desk: Desk) => Promise<T>,
): Promise<T> {
  const config = parseConfig(process.env);
  await signingReady;
  return await withOwnDatabase(config, async (db, pool) => {
    await requireMigrated(db);
    const guard = new LogGuard({
      db,
      dataDir: config.dataDir,
      log: silentLogger,
    });
    await guard.check();
    const desk = await deskOf(config, db, pool, guard);
    try {
      return await work(desk);
    } catch (error) {
      throw error instanceof BoardError ? refusal(error) : error;
    } finally {
      await desk.ledger.stop();
    }
  });
}

async function deskOf(
  config: Config,
  db: Database,
  pool: Pool,
  guard: LogGuard,
): Promise<Desk> {
  const kept = await readKept(db);
  const keys = await keysOf(config, kept);
  const identity = openIdentity(kept.identity);
  // The address that readers know, whatever this shell's BASE_URL is.
  const baseUrl = identity.ok ? identity.value.url : config.baseUrl;
  const events = new Events();
  return {
    config: { ...config, baseUrl },
    limits: config.limits,
    clock: systemClock,
    reads: db,
    writes: db,
    board: { name: kept.board, origin: kept.origin },
    events,
    telemetry: { flush: async () => {} }, // counts live in the node's process
    ledger: new Ledger({
      pool,
      logKey: keys.log,
      clock: systemClock,
      events,
      log: silentLogger,
      instance: randomBytes(8).toString('hex'),
      guard,
    }),
  };
}

async function readKept(db: Database): Promise<Kept> {
  const [kept] = await db.query<Kept>(
    `SELECT board, origin, log_vkey, identity FROM log_state
     WHERE origin_id = 0`,
  );
  if (kept !== undefined) return kept;
  throw new CommandFailure(
    'This board was never started; run "reserve-board start" first.',
  );
}

async function keysOf(config: Config, kept: Kept): Promise<BoardKeys> {
  const boardSeed = await requireSeed(config);
  const keys = boardKeys({ ...config, boardSeed }, kept.board, kept.origin);
  if (kept.log_vkey === formatVkey(keys.log.vkey)) return keys;
  throw new CommandFailure(
    `The seed in use does not belong to the log of ${kept.board}; set DATA_DIR or BOARD_SEED to those of the board.`,
  );
}
