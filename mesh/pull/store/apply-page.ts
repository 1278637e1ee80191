import { cutNote } from '../../../protocol/entry.js';
import type { VerifiedPage } from '../../../protocol/feed-page.js';
import { isLineOf } from '../../../protocol/note.js';
import { encodeFrontier, frontierRoot } from '../../../protocol/tree.js';
import type { Vkey } from '../../../protocol/vkey.js';
import { notify } from '../../../server/db/connection.sql.js';
import { LogState } from '../../../server/db/entities/log.js';
import { MirrorDecision } from '../../../server/db/entities/mirror.js';
import { MIRROR_NOTIFICATIONS } from '../../../server/db/notifications.js';
import type { Database, Tx } from '../../../server/db/sql.js';
import { storeKeySteps } from '../../../server/ledger/key-state.js';
import type { JudgedDecision, JudgedPage, NewPost } from '../verify/judged.js';
import { type ReachedHead, storeLog } from './log.sql.js';
import type { MirrorLog } from './mirror-log.js';
import { addUsage, lockPeerRow, notePage, type Usage } from './peer.sql.js';
import { hourOf } from './peer-rows.js';
import { storeChanges, storePosts } from './posts.js';
import { type Answers, indexTexts, noteReadable } from './updates.sql.js';

const INDEXED_AT_ONCE = 16;
const SKEW_MS = 120_000;
const MOST_MS = 2_147_483_647;

export type AppliedPage = {
  log: MirrorLog;
  verified: VerifiedPage;
  judged: JudgedPage;
  cost: Usage;
  fromOrigin: boolean;
  /** Was at the log's end: delays are worth measuring. */
  live: boolean;
  /** Texts are stored: readable ones get a place in the stream. */
  keeps: boolean;
};

export type PageStore = {
  db: Database;
  now(): number;
  /** Distinguishes processes that share a database. */
  instance: string;
};

export class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}

export class PeerStopped extends Error {
  override readonly name = 'PeerStopped';
}

/**
 * Its transactions throw {@link PeerStopped} unless the peer is active: after a
 * pause is acknowledged nothing more is stored (spec/mesh.md §B8).
 */
export function whileActive(db: Database, originId: number): Database {
  return {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx, client) => {
        if (!(await lockPeerRow(tx, originId))) throw new PeerStopped();
        return await work(tx, client);
      }),
  };
}

/**
 * One transaction for everything (spec/mesh.md §B7, step 6). Returns the log's
 * new end.
 * @throws CursorMoved when another process was faster
 */
export async function applyPage(
  { db, now: clock, instance }: PageStore,
  page: AppliedPage,
): Promise<MirrorLog> {
  const { log, verified, judged } = page;
  const { originId } = log;
  const { checkpoint, frontier, nodes } = verified;
  const { lastMessageId, lastAt, posts } = judged;
  const note = headNote(verified, log.logVkey);
  const head = reachedHead(verified, note);
  const firstMessageId = log.firstMessageId || (posts[0]?.id ?? 0);
  const grown = { ...log, frontier, lastMessageId, firstMessageId, lastAt };
  const now = clock();
  await db.transaction(async (tx) => {
    await moveCursor(tx, log.frontier.size, grown, head);
    await storeLog(tx, originId, head, judged.entries, nodes, now);
    await storeKeySteps(tx, originId, judged.keySteps);
    await storePosts(tx, originId, posts, now);
    await storeChanges(tx, originId, posts, judged.changed, now);
    await storeDecisions(tx, originId, judged.decisions, now);
    await addUsage(tx, originId, page.cost, hourOf(now));
    await notePage(tx, {
      originId,
      fromOrigin: page.fromOrigin,
      from: log.frontier.size,
      head: { size: checkpoint.size, note },
      invalid: judged.entries.filter(({ fault }) => fault !== null).length,
      skewed: judged.latestAt > now + SKEW_MS,
      applyMs: page.live && head !== null ? delays(posts, clock()) : [],
      now,
    });
    // In all other processes.
    await notify(tx, MIRROR_NOTIFICATIONS, instance);
    if (isIndexedAtOnce(judged)) {
      const texts = posts.flatMap(({ id, content }) =>
        content ? [{ ...content, id }] : [],
      );
      await indexTexts(tx, originId, texts);
    }
    const readable = page.keeps ? posts.filter(isReadable) : [];
    const ids = readable.map(({ id }) => id);
    await noteReadable(tx, originId, ids, now, answersOf(readable));
  });
  return grown;
}

type LogEnd = Pick<
  MirrorLog,
  'originId' | 'frontier' | 'lastMessageId' | 'lastAt'
>;

/**
 * Compare-and-swap, as the first statement: a second process waits here and
 * stores nothing.
 * @throws CursorMoved
 */
export async function moveCursor(
  { manager }: Tx,
  from: number,
  { originId, frontier, lastMessageId, lastAt }: LogEnd,
  head: ReachedHead | null,
): Promise<void> {
  const { affected } = await manager.update(
    LogState,
    { originId, size: from },
    {
      size: frontier.size,
      frontier: Buffer.from(encodeFrontier(frontier)),
      lastMessageId,
      lastAt,
      ...(head === null ? {} : { checkpoint: head.note }),
    },
  );
  if (affected !== 1) throw new CursorMoved();
}

/** `remove` and `decision` entries. */
async function storeDecisions(
  { manager }: Tx,
  originId: number,
  decisions: readonly JudgedDecision[],
  now: number,
): Promise<void> {
  if (decisions.length === 0) return;
  const rows = decisions.map(({ index, entry }) => ({
    originId,
    idx: index,
    messageId: entry.id,
    target: Buffer.from(entry.target),
    action: entry.type === 'remove' ? entry.type : entry.action,
    madeBy: entry.type === 'remove' ? entry.by : null,
    reason: entry.type === 'remove' ? entry.reason : null,
    explain: entry.explain === null ? null : Buffer.from(entry.explain),
    at: entry.at,
    receivedAt: now,
    applied: true,
  }));
  await manager.insert(MirrorDecision, rows);
}

/** Only the log's own line. */
export function headNote(
  { checkpoint: { note } }: Pick<VerifiedPage, 'checkpoint'>,
  vkey: Vkey,
): string {
  const own = note.signatures.filter((line) => isLineOf(line, vkey));
  return cutNote(note, own.slice(0, 1));
}

export function reachedHead(
  { checkpoint: { size }, frontier }: VerifiedPage,
  note: string,
): ReachedHead | null {
  return frontier.size === size
    ? { size, root: frontierRoot(frontier), note }
    : null;
}

/** Small pages are indexed in their commit, others soon after. */
export function isIndexedAtOnce({ posts }: JudgedPage): boolean {
  return posts.length <= INDEXED_AT_ONCE;
}

/** A text, or a guest's stub. */
function isReadable({ agentId, state: { status } }: NewPost): boolean {
  return status === 'ok' || (status === 'bare' && agentId === null);
}

/** Of texts that name no messages. */
function answersOf(posts: readonly NewPost[]): Answers {
  return new Map(
    posts.flatMap(({ id, answers, content }) =>
      content?.body.includes('#') ? [] : [[id, answers]],
    ),
  );
}

function delays(posts: readonly NewPost[], now: number): number[] {
  return posts
    .slice(-INDEXED_AT_ONCE)
    .map(({ at }) => Math.min(MOST_MS, Math.max(0, now - at)));
}
