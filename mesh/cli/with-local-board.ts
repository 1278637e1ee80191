import { ready as signingReady } from '../../protocol/signing.js';
import type { Vkey } from '../../protocol/vkey.js';
import { CommandFailure, refusal } from '../../server/cli/failure.js';
import {
  requireMigrated,
  requireSeed,
  withOwnDatabase,
} from '../../server/cli/tool-database.js';
import { systemClock } from '../../server/clock.js';
import { type Config, parseConfig } from '../../server/config.js';
import { openDatabase } from '../../server/db/connect.js';
import { LogState } from '../../server/db/entities/log.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { Database } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { boardKeys } from '../../server/ledger/board-keys.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import { silentLogger } from '../../server/logger.js';
import type { PeerAdmin } from '../mesh-ports.js';
import { peerAdmin } from '../peers/peer-admin.js';
import { PeerClient } from '../pull/fetch/peer-client.js';
import { ownMirrors } from '../witness/own-mirrors.js';

/**
 * Lets a command act on the peers of the node's own database, beside a running
 * node, which is notified of every change, or without one.
 * @throws CommandFailure with one sentence.
 */
export async function withPeers<T>(
  work: (peers: PeerAdmin) => Promise<T>,
): Promise<T> {
  const config = parseConfig(process.env);
  await signingReady;
  return await withOwnDatabase(config, async (db) => {
    await requireMigrated(db);
    return await withClient(config, async (client) =>
      work(await peersOf(config, db, client)),
    );
  });
}

/**
 * Opens the node's own database, which is made where there is none, and ends
 * what it opened.
 * @throws CommandFailure with one sentence.
 */
export async function withOwnLog<T>(
  config: Config,
  work: (db: Database, client: PeerClient) => Promise<T>,
): Promise<T> {
  const opened = await openDatabase(config, silentLogger);
  try {
    return await withClient(config, (client) => work(opened.writes, client));
  } finally {
    await opened.close();
  }
}

/** A way out to other boards; refusals become sentences for the operator. */
async function withClient<T>(
  { meshAllowHttp: allowHttp, meshAllowPrivate: allowPrivate }: Config,
  work: (client: PeerClient) => Promise<T>,
): Promise<T> {
  const client = new PeerClient({ allowHttp, allowPrivate });
  try {
    return await work(client);
  } catch (error) {
    throw error instanceof BoardError ? refusal(error) : error;
  } finally {
    await client.close();
  }
}

/** What the mirrors of a log of ours show, for the guard of a command. */
export function askMirrors(config: Config, db: Database, logVkey: Vkey) {
  return withClient(config, (client) =>
    ownMirrors({ db, client, logVkey }).ask(),
  );
}

/** Where mirrors of the own log may be: as asked, or every active peer. */
export async function mirrorUrls(
  db: Database,
  asked: readonly string[],
): Promise<readonly string[]> {
  if (asked.length > 0) return asked;
  const peers = await db.manager.find(Peer, {
    select: { originId: true, baseUrl: true },
    where: { status: 'active' },
    order: { name: 'ASC' },
  });
  return peers.map(({ baseUrl }) => baseUrl);
}

async function peersOf(config: Config, db: Database, client: PeerClient) {
  const own = await db.manager.findOneBy(LogState, { originId: OWN_LOG });
  if (own === null) {
    throw new CommandFailure(
      'This board was never started; run "reserve-board start" first.',
    );
  }
  const boardSeed = await requireSeed(config);
  const keys = boardKeys({ ...config, boardSeed }, own.board, own.origin);
  const board = { name: own.board, origin: own.origin };
  const node = { db, clock: systemClock, limits: config.limits, client };
  return peerAdmin({ ...node, keys, board });
}
