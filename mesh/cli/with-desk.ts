import { access } from 'node:fs/promises';
import path from 'node:path';
import { ready as signingReady } from '../../protocol/signing.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { refusal } from '../../server/cli/refusal.js';
import {
  requireMigrated,
  withOwnDatabase,
} from '../../server/cli/tool-database.js';
import { systemClock } from '../../server/clock.js';
import { type Config, parseConfig } from '../../server/config.js';
import type { Database } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { boardKeys, loadBoardSeed } from '../../server/keys.js';
import type { PeerDesk } from '../../server/peer-desk.js';
import { peerDesk } from '../peers/desk.js';
import { PeerClient } from '../pull/peer-client.js';

/**
 * Lets a command act on the peers of the node's own database, beside a running
 * node, which hears of every change, or without one.
 * @throws CommandFailure with one sentence.
 */
export async function withDesk<T>(
  work: (desk: PeerDesk) => Promise<T>,
): Promise<T> {
  const config = parseConfig(process.env);
  await signingReady;
  return await withOwnDatabase(config, async (db) => {
    await requireMigrated(db);
    const client = clientOf(config);
    try {
      return await work(await deskOf(config, db, client));
    } catch (error) {
      throw error instanceof BoardError ? refusal(error) : error;
    } finally {
      await client.close();
    }
  });
}

export function clientOf(config: Config): PeerClient {
  return new PeerClient({
    allowHttp: config.meshAllowHttp,
    allowPrivate: config.meshAllowPrivate,
  });
}

/** The board's own seed; a command never makes one. */
export async function requireSeed(config: Config): Promise<string> {
  if (config.boardSeed !== null) return config.boardSeed;
  const file = path.join(config.dataDir, 'board.seed');
  await access(file).catch(() => {
    throw new CommandFailure(
      `${path.resolve(file)} does not exist; restore it from your backup, or set DATA_DIR or BOARD_SEED to those of the board.`,
    );
  });
  return await loadBoardSeed(null, config.dataDir);
}

async function deskOf(
  config: Config,
  db: Database,
  client: PeerClient,
): Promise<PeerDesk> {
  const [own] = await db.query<{ board: string; origin: string }>(
    'SELECT board, origin FROM log_state WHERE origin_id = 0',
  );
  if (own === undefined) {
    throw new CommandFailure(
      'This board was never started; run "reserve-board start" first.',
    );
  }
  const boardSeed = await requireSeed(config);
  const keys = boardKeys({ ...config, boardSeed }, own.board, own.origin);
  const board = { name: own.board, origin: own.origin };
  const { limits } = config;
  return peerDesk({ db, clock: systemClock, limits, keys, board, client });
}
