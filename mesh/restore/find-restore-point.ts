import { Not } from 'typeorm';
import { equalBytes } from '../../protocol/bytes.js';
import { verifyConsistency } from '../../protocol/consistency.js';
import {
  decodeFrontier,
  emptyFrontier,
  encodeFrontier,
  type Frontier,
  frontierRoot,
} from '../../protocol/tree.js';
import {
  LogCheckpoint,
  LogEntry,
  LogNode,
  LogState,
} from '../../server/db/entities/log.js';
import type { Sql, Tx } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { beginLog } from '../../server/ledger/genesis.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import type { BoardIdentity } from '../../server/ledger/record-identity.js';
import { askConsistency } from '../witness/ask-peer.js';
import type { SeenMirror } from './find-mirrors.js';
import type { RestoreParts } from './restore-log.js';

/**
 * The end of the local log where a mirror continues it. A local log of only
 * identities, made by a first start, is dropped; any other fork is refused.
 */
export async function findRestorePoint(
  parts: RestoreParts,
  mirror: SeenMirror,
): Promise<Frontier> {
  const { db } = parts;
  const log = { originId: OWN_LOG };
  const state = await db.manager.findOneBy(LogState, log);
  if (state === null) throw new Error('the log was not opened');
  const own = decodeFrontier(state.size, state.frontier);
  if (own.size === 0 || (await continues(parts, own, mirror))) return own;
  if (await hasHistory(db)) {
    throw new BoardError(
      'decision_conflict',
      `The local log of ${own.size} entries is not the beginning of the mirror's ${mirror.size}: both were signed and neither can be dropped. Keep this database, and start the board with the one whose history the mirrors have.`,
    );
  }
  await db.transaction(async (tx) => {
    await dropEntries(tx);
    const frontier = Buffer.from(encodeFrontier(emptyFrontier()));
    const counters = { size: 0, lastMessageId: 0, lastAt: 0 };
    const empty = { ...counters, frontier, identity: '' };
    await tx.manager.update(LogState, log, empty);
  });
  return emptyFrontier();
}

/**
 * Replaces a log of only identities, or none, by a later generation.
 * @throws BoardError `decision_conflict` for a log with a history
 */
export async function beginLater(
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
    await tx.manager.delete(LogState, { originId: OWN_LOG });
    await beginLog(tx, later);
  });
}

async function hasHistory({ manager }: Sql): Promise<boolean> {
  const entry = { originId: OWN_LOG, type: Not('board') };
  return await manager.existsBy(LogEntry, entry);
}

async function dropEntries({ manager }: Tx): Promise<void> {
  for (const table of [LogEntry, LogNode, LogCheckpoint]) {
    await manager.delete(table, { originId: OWN_LOG });
  }
}

async function continues(
  parts: RestoreParts,
  own: Frontier,
  { source, size, root }: SeenMirror,
): Promise<boolean> {
  if (own.size > size) {
    throw new BoardError(
      'decision_conflict',
      `The local log has ${own.size} entries and no mirror more than ${size}; there is nothing to restore.`,
    );
  }
  const mine = frontierRoot(own);
  if (own.size === size) return equalBytes(mine, root);
  const proof = await askConsistency(parts.client, source, own.size, size);
  if (proof === 'unreachable') {
    throw new BoardError(
      'origin_unreachable',
      `The mirror at ${source.baseUrl} stopped answering; run the command again.`,
    );
  }
  if (proof === 'refused') return false;
  return verifyConsistency(own.size, size, mine, root, proof);
}
