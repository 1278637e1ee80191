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
  /** Without a first entry nothing is signed. */
  begun: boolean;
  first: boolean;
};

type Asked = {
  /** Asked before a further entry is signed: the log may be rolled back. */
  mayAppend: (own: BoardIdentity) => Promise<boolean>;
  /** Asked before the first entry is signed. */
  mayBegin: (own: BoardIdentity) => Promise<boolean>;
};

/**
 * Opens the log. Without one, its first entry is signed here only, at most once
 * per seed (spec/board.md §16.22), or the log stays empty and closed. A changed
 * address, mirror key or node key becomes a `board` entry (spec/mesh.md §B4).
 * @param begin an operator says that nothing was ever signed with the seed.
 * @throws StartRefusal with the fix; nothing is written then.
 */
export async function openBoard(
  db: Database,
  config: Config,
  clock: Clock,
  { mayAppend, mayBegin }: Asked,
  begin = false,
): Promise<OpenedBoard> {
  return await db.transaction(async (tx) => {
    // Two simultaneous first starts must not make two logs.
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

/** True: the first entry was signed. */
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
  // After a crash from here on, the seed counts as used.
  if (isNew) await keepNewSeed(config.dataDir, boardSeed);
  if (isNew || permission === 'unused seed') {
    if (!(await takeUnused(config.dataDir))) return false;
  }
  const identity = { ...identityFacts(own, config.baseUrl), seq: 0 };
  await appendIdentity(tx, own, identity, [], clock);
  return true;
}

/** Continues the IDs and times of a former generation; `lastAt` in ms. */
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
