import type { Config } from '../../server/config.js';
import type { Sql } from '../../server/db/sql.js';
import type { BoardIdentity } from '../../server/ledger/record-identity.js';
import { comparePeers, type PeerView } from '../restore/compare-peers.js';
import { withClient } from './with-local-board.js';

export type { PeerView };

export async function peersOnOwnLog(
  config: Config,
  sql: Sql,
  { board, keys }: BoardIdentity,
): Promise<PeerView[]> {
  return await withClient(config, (client) =>
    comparePeers({ sql, client }, { board, vkey: keys.log.vkey }),
  );
}
