import { parseLogOrigin } from '../../protocol/board-name.js';
import { emptyFrontier, encodeFrontier } from '../../protocol/tree.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Clock } from '../clock.js';
import type { Config } from '../config.js';
import { LogState } from '../db/entities/log.js';
import type { Database, Tx } from '../db/sql.js';
import { keepNewSeed, takeUnused } from './board-seed.js';
import { lockGenesis } from './head.sql.js';
import { OWN_LOG } from './own-log.sql.js';
import {
  appendIdentity,
  type BoardIdentity,
  identityFacts,
  recordIdentity,
} from './record-identity.js';
import { planStart, type StartPlan } from './start-plan.js';

export type { BoardIdentity };

export type OpenedBoard = {
  own: BoardIdentity;
  /** Whether the log has its first entry; without one nothing is signed. */
  begun: boolean;
  /** Whether it was signed just now. */
  first: boolean;
};

/** Asked before anything is signed: the log may have been rolled back. */
type Asked = {
  /** For a further entry. */
  mayAppend: (own: BoardIdentity) => Promise<boolean>;
  /** For the first one. */
  mayBegin: (own: BoardIdentity) => Promise<boolean>;
};

/**
 * Opens the board's log. Where none is recorded and one may be begun, its first
 * entry is signed here and nowhere else, at most once with a seed
 * (spec/board.md §16.22); else the log stays empty and closed. A changed
 * address or changed mirror or node key becomes a further `board` entry
 * (spec/mesh.md §B4).
 *
 * @param begin an operator says that nothing was ever signed with the seed.
 * @throws StartRefusal with the fix when seed, name or log key do not fit;
 * nothing is written then.
 */
export async function openBoard(
  db: Database,
  config: Config,
  clock: Clock,
  { mayAppend, mayBegin }: Asked,
  begin = false,
): Promise<OpenedBoard> {
  return await db.transaction(async (tx) => {
    // Two first starts at once must not make two logs.
    await lockGenesis(tx);
    const plan = await planStart(tx, config, clock.now(), begin);
    const { own, kept, boardSeed } = plan;
    if (kept === null) {
      const asked = () => mayBegin(own);
      const first = await openFirst(tx, config, clock, plan, asked);
      return { own, begun: first, first };
    }
    const begun = kept.size > 0;
    if (begun) {
      const seeds = { ...config, boardSeed };
      const asked = () => mayAppend(own);
      const { identity } = kept;
      await recordIdentity(tx, identity, own, config, seeds, clock, asked);
    }
    return { own, begun, first: false };
  });
}

/** Answers whether the first entry was signed. */
async function openFirst(
  tx: Tx,
  config: Config,
  clock: Clock,
  { own, boardSeed, permission }: StartPlan,
  mayBegin: () => Promise<boolean>,
): Promise<boolean> {
  await tx.manager.delete(LogState, { originId: OWN_LOG });
  await beginLog(tx, own);
  if (permission === null) return false;
  const isNew = permission === 'new seed';
  if (!isNew && !(await mayBegin())) return false;
  // From here on a crash leaves a seed that counts as used.
  if (isNew) await keepNewSeed(config.dataDir, boardSeed);
  if (isNew || permission === 'unused seed') {
    if (!(await takeUnused(config.dataDir))) return false;
  }
  const identity = { ...identityFacts(own, config.baseUrl), seq: 0 };
  await appendIdentity(tx, own, identity, [], clock);
  return true;
}

/**
 * Makes the row of the own log, empty and without a signature: its first entry
 * brings the first checkpoint. A later generation begins after the IDs and
 * times of the one before; `lastAt` is in ms.
 */
export async function beginLog(
  tx: Tx,
  { board, origin, keys }: BoardIdentity,
  { lastMessageId, lastAt } = { lastMessageId: 0, lastAt: 0 },
): Promise<void> {
  await tx.manager.insert(LogState, {
    originId: OWN_LOG,
    board,
    origin,
    generation: parseLogOrigin(origin)?.generation ?? 1,
    logVkey: formatVkey(keys.log.vkey),
    identity: '',
    size: 0,
    frontier: Buffer.from(encodeFrontier(emptyFrontier())),
    lastMessageId,
    lastAt,
    checkpoint: '',
  });
}
