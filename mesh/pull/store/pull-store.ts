import type { KeyChain } from '../../../protocol/key.js';
import type { Database } from '../../../server/db/sql.js';
import type { Ledger } from '../../../server/ledger/ledger.js';
import type { PeerClient } from '../fetch/peer-client.js';
import type { PullSource } from '../hooks.js';
import { type MirrorLog, readMirrorLog } from '../mirror-log.js';
import { quarantineRolledBack } from '../round-failed.js';
import type { JudgedStep } from '../verify/judged.js';
import type { KnownPost } from '../verify/message-state.js';
import { adoptKeySteps } from '../verify/own-keys.js';
import type { TextRules } from '../verify/text-rules.js';
import { type AppliedPage, applyPage } from './apply-page.js';
import { keepTexts } from './keep-texts.js';
import { mirrorsOf } from './mirror-sources.js';
import {
  type ContentLog,
  fetchMissing,
  nextContentAt,
} from './missing-contents.js';
import { readChains, readPosts } from './page-facts.js';
import {
  type Degradation,
  degrade,
  noteFailure,
  notePage,
  type PageSuccess,
} from './peer-progress.js';
import { type PullPeer, readPullPeer } from './pull-peer-row.js';
import { indexTexts } from './readable.js';
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

const FIRST = 512;
const STEP = 8;
/** Of the usual 100: a sample of 3,000 rows says how large a table is. */
const TARGET = 10;
const GROWING = ['log_entry', 'log_node', 'mirror_message'];

/**
 * Lets the planner look at the tables of a mirrored log each time the log has
 * grown eightfold: a connection keeps the plan of a statement, and one made
 * for an empty table may walk a whole index to find a row. The database's own
 * look comes a minute later, when a backfill has brought 100,000 entries.
 */
async function refreshStatistics(
  db: Database,
  originId: number,
  before: number,
  after: number,
): Promise<void> {
  if (!isPassed(before, after)) return;
  const tables = GROWING.map((table) => `${table}_${originId}`).join(', ');
  try {
    // Two statements in one message are one transaction.
    const look = `SET LOCAL default_statistics_target = ${TARGET}; ANALYZE ${tables}`;
    await db.withClient((client) => client.query(look));
  } catch {
    // What was stored stays stored; the database's own look comes in any case.
  }
}

/** True where one of 512, 4,096, 32,768 … lies above `before`, up to `after`. */
export function isPassed(before: number, after: number): boolean {
  let size = FIRST;
  while (size <= before) size *= STEP;
  return size <= after;
}

const AT_ONCE = 50;

type Row = { id: number; title: string | null; body: string };

/**
 * Makes the texts findable that came in large pages, from ids above `from` on. A backfill would wait
 * for its search index most of the time, so its texts are readable first.
 */
async function indexLate(
  db: Database,
  originId: number,
  from: number,
  signal: AbortSignal,
): Promise<void> {
  let after = from;
  while (!signal.aborted) {
    const rows: Row[] = await db.query<Row>(
      `SELECT m.id, m.title, m.body FROM mirror_message m
       WHERE m.origin_id = $1 AND m.id > $2 AND m.status = 'ok'
         AND NOT EXISTS (SELECT FROM mirror_search s
           WHERE s.origin_id = $1 AND s.message_id = m.id)
       ORDER BY m.id LIMIT ${AT_ONCE}`,
      [originId, after],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    await db.transaction(async (tx) => {
      // Locked, because a text that goes must take its search row with it.
      const still = await tx.query<Row>(
        `SELECT id, title, body FROM mirror_message
         WHERE origin_id = $1 AND id = ANY($2::bigint[]) AND status = 'ok'
         FOR UPDATE`,
        [originId, rows.map(({ id }) => id)],
      );
      await indexTexts(
        tx,
        originId,
        still.map(({ id, title, body }) => ({
          id,
          content: title === null ? { body } : { title, body },
        })),
      );
    });
  }
}
