import type { KeyChain } from '../../../protocol/key.js';
import type { Database } from '../../../server/db/sql.js';
import type { Ledger } from '../../../server/ledger/ledger.js';
import { type AppliedPage, applyPage } from './apply-page.js';
import { refreshStatistics } from './fresh-statistics.js';
import { indexLate } from './index-late.js';
import type { JudgedStep } from '../verify/judged.js';
import { keepTexts } from './keep-texts.js';
import type { KnownPost } from '../verify/message-state.js';
import { type MirrorLog, readMirrorLog } from '../mirror-log.js';
import { mirrorsOf } from './mirror-sources.js';
import {
  type ContentLog,
  fetchMissing,
  nextContentAt,
} from './missing-contents.js';
import { adoptKeySteps } from '../verify/own-keys.js';
import { readChains, readPosts } from './page-facts.js';
import type { PeerClient } from '../fetch/peer-client.js';
import {
  type Degradation,
  degrade,
  noteFailure,
  notePage,
  type PageSuccess,
} from './peer-progress.js';
import { type PullPeer, readPullPeer } from './pull-peer-row.js';
import { quarantineRolledBack } from '../round-failed.js';
import type { PullSource } from '../hooks.js';
import type { TextRules } from '../verify/text-rules.js';
import { readUsage, type Usage } from './usage.js';
import { whileActive } from './while-active.js';

/**
 * What workers keep, and where: a node's database, or the memory of a
 * simulation of many nodes. Every method is one step that is durable, or did
 * not happen, when it answers.
 */
export type PullStore = {
  peer(originId: number): Promise<PullPeer | null>;
  /** The verified end of a mirrored log; null where it is not opened. */
  log(originId: number): Promise<MirrorLog | null>;
  keepTexts(peer: PullPeer, now: number): Promise<void>;
  mirrors(originId: number, origin: string): Promise<PullSource[]>;
  contentDue(originId: number): Promise<number | null>;
  usage(originId: number, now: number): Promise<Usage>;
  chains(
    originId: number,
    agents: readonly string[],
  ): Promise<ReadonlyMap<string, KeyChain>>;
  posts(
    originId: number,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, KnownPost>>;
  adopt(steps: readonly JudgedStep[]): Promise<void>;
  /**
   * @throws CursorMoved when another process was faster, PeerStopped when the
   * peer is not active any more.
   */
  apply(page: AppliedPage): Promise<MirrorLog>;
  note(success: PageSuccess): Promise<void>;
  failed(
    originId: number,
    failure: { code: string; now: number; retryAt: number },
  ): Promise<void>;
  quarantine(originId: number, now: number): Promise<void>;
  degrade(originId: number, reason: Degradation, now: number): Promise<void>;
  index(originId: number, from: number, signal: AbortSignal): Promise<void>;
  fetchMissing(log: ContentLog, signal: AbortSignal): Promise<boolean>;
};

type StoreParts = {
  db: Database;
  ledger: Ledger;
  client: PeerClient;
  textRules: TextRules;
  now(): number;
  instance: string;
};

/** The store of a node: its database, and its own log for adopted keys. */
export function databaseStore(parts: StoreParts): PullStore {
  const { db } = parts;
  const ofActive = (originId: number) => ({
    ...parts,
    db: whileActive(db, originId),
  });
  return {
    peer: (originId) => readPullPeer(db, originId),
    log: (originId) => readMirrorLog(db, originId),
    keepTexts: (peer, now) => keepTexts(db, peer, now),
    mirrors: (originId, origin) => mirrorsOf(db, originId, origin),
    contentDue: (originId) => nextContentAt(db, originId),
    usage: (originId, now) => readUsage(db, originId, now),
    chains: (originId, agents) => readChains(db, originId, agents),
    posts: (originId, ids) => readPosts(db, originId, ids),
    adopt: (steps) => adoptKeySteps(db, parts.ledger, steps),
    apply: async (page) => {
      const grown = await applyPage(ofActive(page.log.originId), page);
      const { frontier, originId } = page.log;
      const { size } = grown.frontier;
      await refreshStatistics(db, originId, frontier.size, size);
      return grown;
    },
    note: (success) => notePage(db, success),
    failed: (originId, failure) => noteFailure(db, originId, failure),
    quarantine: (originId, now) => quarantineRolledBack(db, originId, now),
    degrade: (originId, reason, now) => degrade(db, originId, reason, now),
    index: (originId, from, signal) => indexLate(db, originId, from, signal),
    fetchMissing: (log, signal) =>
      fetchMissing(ofActive(log.originId), log, signal),
  };
}
