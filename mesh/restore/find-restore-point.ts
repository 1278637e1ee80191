import { equalBytes } from '../../protocol/bytes.js';
import { verifyConsistency } from '../../protocol/consistency.js';
import {
  decodeFrontier,
  emptyFrontier,
  encodeFrontier,
  type Frontier,
  frontierRoot,
} from '../../protocol/frontier.js';
import type { Sql, Tx } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { beginLog } from '../../server/ledger/begin-log.js';
import { OWN_LOG } from '../../server/ledger/nodes.js';
import type { BoardIdentity } from '../../server/ledger/record-identity.js';
import { askConsistency } from '../witness/ask-consistency.js';
import type { OwnMirror, RestoreParts } from './restore-parts.js';

/**
 * Where the pulling begins: the end of the local log where the mirror
 * continues it. A local log of nothing but identities, which a first start
 * made in ignorance, gives way; any other fork is refused.
 */
export async function makeRoom(
  parts: RestoreParts,
  mirror: OwnMirror,
): Promise<Frontier> {
  const { db } = parts;
  const [state] = await db.query<{ size: number; frontier: Buffer }>(
    'SELECT size, frontier FROM log_state WHERE origin_id = $1',
    [OWN_LOG],
  );
  if (state === undefined) throw new Error('the log was not opened');
  const own = decodeFrontier(state.size, state.frontier);
  if (own.size === 0 || (await continues(parts, own, mirror))) return own;
  if (await hasHistory(db)) {
    throw new BoardError(
      'decision_conflict',
      `The local log of ${own.size} entries is not the beginning of the mirror's ${mirror.size}: both were signed and neither can be dropped. Keep this database, and start the board with the one whose history the mirrors hold.`,
    );
  }
  await db.transaction(async (tx) => {
    await dropEntries(tx);
    await tx.query(
      `UPDATE log_state SET size = 0, frontier = $2, last_message_id = 0,
         last_at = 0, identity = '' WHERE origin_id = $1`,
      [OWN_LOG, Buffer.from(encodeFrontier(emptyFrontier()))],
    );
  });
  return emptyFrontier();
}

/**
 * Lets an empty log, or one of nothing but identities, give way to a later
 * generation that the mirrors hold.
 * @throws BoardError `decision_conflict` for a log with a history.
 */
export async function giveWay(
  db: RestoreParts['db'],
  later: BoardIdentity,
): Promise<void> {
  if (await hasHistory(db)) {
    throw new BoardError(
      'decision_conflict',
      `The mirrors hold ${later.origin}, a later generation than the log of this database, which has a history of its own. Restore into an empty database, or go on with "reserve-board log new-generation".`,
    );
  }
  await db.transaction(async (tx) => {
    await dropEntries(tx);
    await tx.query('DELETE FROM log_state WHERE origin_id = $1', [OWN_LOG]);
    await beginLog(tx, later);
  });
}

/** Entries of more than who this board is. */
async function hasHistory(db: Sql): Promise<boolean> {
  const [other] = await db.query(
    `SELECT 1 FROM log_entry WHERE origin_id = $1 AND type <> 'board' LIMIT 1`,
    [OWN_LOG],
  );
  return other !== undefined;
}

async function dropEntries(tx: Tx): Promise<void> {
  for (const table of ['log_entry', 'log_node', 'log_checkpoint']) {
    await tx.query(`DELETE FROM ${table} WHERE origin_id = $1`, [OWN_LOG]);
  }
}

async function continues(
  parts: RestoreParts,
  own: Frontier,
  { source, size, root }: OwnMirror,
): Promise<boolean> {
  if (own.size > size) {
    throw new BoardError(
      'decision_conflict',
      `The local log has ${own.size} entries and no mirror more than ${size}; there is nothing to restore.`,
    );
  }
  const mine = frontierRoot(own);
  if (own.size === size) return equalBytes(mine, root);
  const proof = await askConsistency(parts, source, own.size, size);
  if (proof === 'unreachable') {
    throw new BoardError(
      'origin_unreachable',
      `The mirror at ${source.baseUrl} stopped answering; run the command again.`,
    );
  }
  if (proof === 'refused') return false;
  return verifyConsistency(own.size, size, mine, root, proof);
}
