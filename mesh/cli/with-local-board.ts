import { ready as signingReady } from '../../protocol/signing.js';
import type { Vkey } from '../../protocol/vkey.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { requireSeed } from '../../server/cli/own-seed.js';
import { refusal } from '../../server/cli/refusal.js';
import {
  requireMigrated,
  withOwnDatabase,
} from '../../server/cli/tool-database.js';
import { systemClock } from '../../server/clock.js';
import { type Config, parseConfig } from '../../server/config.js';
import type { Database } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { boardKeys } from '../../server/ledger/board-keys.js';
import type { Witnesses } from '../../server/ledger/rollback-guard.js';
import type { PeerDesk } from '../mesh-ports.js';
import { peerDesk } from '../peers/desk.js';
import { PeerClient } from '../pull/fetch/peer-client.js';
import { ownMirrors } from '../witness/own-mirrors.js';

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

/** What the mirrors of a log of ours show, for the guard of a command. */
export async function askMirrors(
  config: Config,
  db: Database,
  logVkey: Vkey,
): Promise<Awaited<ReturnType<Witnesses['ask']>>> {
  const client = clientOf(config);
  try {
    return await ownMirrors({ db, client, logVkey }).ask();
  } finally {
    await client.close();
  }
}

/** Where mirrors of the own log may stand. */
export async function activePeerUrls(db: Database): Promise<string[]> {
  const rows = await db.query<{ base_url: string }>(
    "SELECT base_url FROM peer WHERE status = 'active' ORDER BY name",
  );
  return rows.map(({ base_url: url }) => url);
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
