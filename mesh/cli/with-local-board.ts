import { refusal } from '../../server/cli/failure.js';
import { explained } from '../../server/cli/tool-database.js';
import { withLocalBoard } from '../../server/cli/with-local-board.js';
import type { Config } from '../../server/config.js';
import type { CommandContext } from '../../server/dashboard/command.js';
import { openDatabase } from '../../server/db/connect.js';
import { Peer } from '../../server/db/entities/peer.js';
import { PULLABLE } from '../../server/db/pullable.js';
import type { Database } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import type { BoardKeys } from '../../server/ledger/board-keys.js';
import { silentLogger } from '../../server/logger.js';
import { serving } from '../peers/levels.js';
import { peerAdmin } from '../peers/peer-admin.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { ownMirrors } from '../witness/own-mirrors.js';
import { PatientClient } from './patient-client.js';

/**
 * As an operator, on the own database; a running node is notified.
 * @throws CommandFailure with one sentence
 */
export async function withPeers<T>(
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  return await withLocalBoard((context) =>
    withClient(context.config, (client) => {
      const { writes: db, clock, limits, keys, board } = context;
      const peers = peerAdmin({ db, clock, limits, client, keys, board });
      return work({ ...context, peers });
    }),
  );
}

/**
 * Makes a missing database; closes what it opened.
 * @throws CommandFailure with one sentence
 */
export async function withOwnLog<T>(
  config: Config,
  work: (db: Database, client: PeerClient) => Promise<T>,
): Promise<T> {
  const opened = await openDatabase(config, silentLogger);
  try {
    return await withClient(config, (client) => work(opened.writes, client));
  } catch (error) {
    throw explained(error);
  } finally {
    await opened.close();
  }
}

/** Refusals become sentences for the operator. */
export async function withClient<T>(
  { meshAllowHttp: allowHttp, meshAllowPrivate: allowPrivate }: Config,
  work: (client: PeerClient) => Promise<T>,
): Promise<T> {
  const reach = { allowHttp, allowPrivate };
  const onWait = (text: string) => process.stderr.write(`${text}\n`);
  const client = new PatientClient(reach, { onWait });
  try {
    return await work(client);
  } catch (error) {
    throw error instanceof BoardError ? refusal(error) : error;
  } finally {
    await client.close();
  }
}

/** For the guard of a command. */
export function askMirrors(config: Config, db: Database, keys: BoardKeys) {
  return withClient(config, (client) => ownMirrors({ db, client, keys }).ask());
}

/** As asked, or every active peer. */
export async function mirrorUrls(
  db: Database,
  asked: readonly string[],
): Promise<readonly string[]> {
  if (asked.length > 0) return asked;
  const peers = await db.manager.find(Peer, {
    select: { originId: true, baseUrl: true },
    where: { ...PULLABLE, level: serving('mirror') },
    order: { name: 'ASC' },
  });
  return peers.map(({ baseUrl }) => baseUrl);
}
