import { Any } from 'typeorm';
import {
  MirrorMessage,
  MirrorSearch,
} from '../../../server/db/entities/mirror-message.js';
import type { Database } from '../../../server/db/sql.js';
import type { PlacedStep } from '../../../server/ledger/key-state.js';
import type { Ledger } from '../../../server/ledger/ledger.js';
import type { Limits } from '../../../server/limits.js';
import {
  type AppliedPage,
  applyPage,
  type PageStore,
  whileActive,
} from './apply-page.js';
import {
  type ContentLog,
  type ContentParts,
  fetchMissing,
  keepTexts,
} from './contents.js';
import { adoptKeySteps, adoptWaiting, readChains } from './keys.js';
import { analyzeLog } from './log.sql.js';
import { type MirrorLog, mirrorsOf, readMirrorLog } from './mirror-log.js';
import { notePage, type PageSuccess, readUsage } from './peer.sql.js';
import {
  type Degradation,
  degrade,
  type Failure,
  hourOf,
  noteFailure,
  type PullPeer,
  quarantineRolledBack,
  readPullPeer,
} from './peer-rows.js';
import { readPosts } from './posts.js';
import { nextContentAt, readRequests } from './posts.sql.js';
import { indexTexts } from './updates.sql.js';

/** Each method is durable, or did not happen, when it resolves. */
export type PullStore = ReturnType<typeof databaseStore>;

type StoreParts = PageStore & ContentParts & { ledger: Ledger; limits: Limits };

export function databaseStore(parts: StoreParts) {
  const { db } = parts;
  const ofActive = (originId: number) => ({
    ...parts,
    db: whileActive(db, originId),
  });
  return {
    peer: (originId: number) => readPullPeer(db, originId),
    log: (originId: number) => readMirrorLog(db, originId),
    keepTexts: (peer: PullPeer, now: number) => keepTexts(db, peer, now),
    mirrors: (originId: number, origin: string) =>
      mirrorsOf(db, originId, origin),
    contentDue: (originId: number) => nextContentAt(db, originId),
    usage: (originId: number, now: number) =>
      readUsage(db, originId, hourOf(now)),
    chains: (originId: number, agents: readonly string[]) =>
      readChains(db, originId, agents),
    posts: (originId: number, ids: readonly number[]) =>
      readPosts(db, originId, ids),
    requests: (originId: number, requests: readonly string[]) =>
      readRequests(db, originId, requests),
    adopt: (originId: number, steps: readonly PlacedStep[]) =>
      adoptKeySteps(db, steps, { ...parts, originId }),
    adoptWaiting: (originId: number) =>
      adoptWaiting(db, { ...parts, originId }),
    /** @throws CursorMoved, or PeerStopped when the peer is not active */
    apply: async (page: AppliedPage): Promise<MirrorLog> => {
      const grown = await applyPage(ofActive(page.log.originId), page);
      const { frontier, originId } = page.log;
      if (isPassed(frontier.size, grown.frontier.size)) {
        // The page is stored anyway; autoanalyze follows.
        await analyzeLog(db, originId).catch(() => {});
      }
      return grown;
    },
    note: (success: PageSuccess) => notePage(db, success),
    failed: (originId: number, failure: Failure) =>
      db.transaction((tx) => noteFailure(tx, originId, failure)),
    quarantine: (originId: number, now: number) =>
      db.transaction((tx) => quarantineRolledBack(tx, originId, now)),
    degrade: (originId: number, reason: Degradation, now: number) =>
      db.transaction((tx) => degrade(tx, originId, reason, now)),
    index: (originId: number, from: number, signal: AbortSignal) =>
      indexLate(db, originId, from, signal),
    fetchMissing: (log: ContentLog, signal: AbortSignal) =>
      fetchMissing(ofActive(log.originId), log, signal),
  };
}

const FIRST = 512;
const STEP = 8;

/**
 * 512, 4,096, 32,768 … is passed: the planner then looks at the tables. A
 * connection keeps its plan, and one made for an empty table may walk a whole
 * index; autoanalyze comes a minute, or 100,000 entries, later.
 */
export function isPassed(before: number, after: number): boolean {
  let size = FIRST;
  while (size <= before) size *= STEP;
  return size <= after;
}

const AT_ONCE = 50;

/** From ids above `from`: a backfill would mostly wait for its index. */
async function indexLate(
  db: Database,
  originId: number,
  from: number,
  signal: AbortSignal,
): Promise<void> {
  let after = from;
  while (!signal.aborted) {
    const rows = await db.manager
      .createQueryBuilder(MirrorMessage, 'm')
      .select('m.id', 'id')
      .leftJoin(
        MirrorSearch,
        's',
        's.originId = m.originId AND s.messageId = m.id',
      )
      .where({ originId, status: 'ok' })
      .andWhere('m.id > :after AND s.messageId IS NULL', { after })
      .orderBy('m.id')
      .limit(AT_ONCE)
      .getRawMany<{ id: number }>();
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    await db.transaction(async (tx) => {
      // Locked: a removal must delete the search row, too.
      const texts = await tx.manager.find(MirrorMessage, {
        select: { originId: true, id: true, title: true, body: true },
        where: { originId, id: Any(rows.map(({ id }) => id)), status: 'ok' },
        lock: { mode: 'pessimistic_write' },
      });
      await indexTexts(tx, originId, texts);
    });
  }
}
