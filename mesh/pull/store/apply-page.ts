import { cutNote } from '../../../protocol/entry.js';
import type { VerifiedPage } from '../../../protocol/feed-page.js';
import { frontierRoot } from '../../../protocol/frontier.js';
import { isLineOf } from '../../../protocol/note.js';
import { MIRROR_NOTIFICATIONS } from '../../../server/db/notifications.js';
import { type Database, together } from '../../../server/db/sql.js';
import type { MirrorLog } from '../mirror-log.js';
import type { JudgedPage, NewPost } from '../verify/judged.js';
import { notePage } from './peer-progress.js';
import { indexTexts, noteReadable } from './readable.js';
import { storeChanges, storeDecisions } from './store-changes.js';
import { storeKeySteps } from './store-keys.js';
import { type LogStep, moveCursor, storeLog } from './store-log.js';
import { storePosts } from './store-posts.js';
import { addUsage, type Usage } from './usage.js';

const INDEXED_AT_ONCE = 16;
const SKEW_MS = 120_000;
const MOST_MS = 2_147_483_647;

export type AppliedPage = {
  log: MirrorLog;
  verified: VerifiedPage;
  judged: JudgedPage;
  cost: Usage;
  fromOrigin: boolean;
  /** The log was held to its end before: delays are worth measuring. */
  live: boolean;
  /** Texts are kept: what is readable takes its place in the stream. */
  keeps: boolean;
};

export type PageStore = {
  db: Database;
  now(): number;
  /** This process's tag among those on one database. */
  instance: string;
};

/**
 * Stores one verified and judged page: cursor, leaves, tree, posts, keys,
 * decisions, and what it says of the peer, in one transaction (spec/mesh.md
 * §B7, step 6). Answers the log's new end.
 *
 * @throws CursorMoved when another process was faster; nothing is stored.
 */
export async function applyPage(
  { db, now: clock, instance }: PageStore,
  page: AppliedPage,
): Promise<MirrorLog> {
  const { log, verified, judged } = page;
  const { originId } = log;
  const { checkpoint, frontier } = verified;
  const complete = frontier.size === checkpoint.size;
  const note = headNote(verified, log);
  const step: LogStep = {
    originId,
    from: log.frontier.size,
    frontier,
    lastMessageId: judged.lastMessageId,
    lastAt: judged.lastAt,
    head: complete
      ? { size: checkpoint.size, root: frontierRoot(frontier), note }
      : null,
  };
  const now = clock();
  await db.transaction(async (tx) => {
    await moveCursor(tx, step);
    // Sent one behind the other: none needs the answer of the one before.
    await together([
      storeLog(tx, step, judged.entries, verified.nodes, now),
      storeKeySteps(tx, originId, judged.keySteps),
      storePosts(tx, originId, judged.posts, now).then(() =>
        storeChanges(tx, originId, judged.posts, judged.changed, now),
      ),
      storeDecisions(tx, originId, judged.decisions, now),
      addUsage(tx, originId, page.cost, now),
      notePage(tx, {
        originId,
        fromOrigin: page.fromOrigin,
        from: log.frontier.size,
        head: { size: checkpoint.size, note },
        invalid: judged.entries.filter(({ fault }) => fault !== null).length,
        skewed: judged.latestAt > now + SKEW_MS,
        applyMs: page.live && complete ? delays(judged.posts, clock()) : [],
        now,
      }),
      tx.query('SELECT pg_notify($1, $2)', [MIRROR_NOTIFICATIONS, instance]),
      isIndexedAtOnce(page)
        ? indexTexts(tx, originId, textsOf(judged.posts))
        : undefined,
    ]);
    const readable = page.keeps ? judged.posts.filter(isReadable) : [];
    const ids = readable.map(({ id }) => id);
    await noteReadable(tx, originId, ids, now);
  });
  const { lastMessageId, lastAt } = judged;
  const firstMessageId = log.firstMessageId || (judged.posts[0]?.id ?? 0);
  return { ...log, frontier, lastMessageId, firstMessageId, lastAt };
}

/** The head with the log's own line alone: others' are nothing to keep. */
export function headNote(
  { checkpoint: { note } }: Pick<VerifiedPage, 'checkpoint'>,
  { logVkey }: MirrorLog,
): string {
  return cutNote(
    note,
    note.signatures.filter((line) => isLineOf(line, logVkey)).slice(0, 1),
  );
}

/** Texts of small pages are findable with their commit, others soon after. */
export function isIndexedAtOnce({
  judged,
}: Pick<AppliedPage, 'judged'>): boolean {
  return judged.posts.length <= INDEXED_AT_ONCE;
}

function textsOf(posts: readonly NewPost[]) {
  return posts.flatMap(({ id, content }) =>
    content === null ? [] : [{ id, content }],
  );
}

/** A text, or a guest's stub, which is shown for what it is. */
function isReadable({ agentId, state: { status } }: NewPost): boolean {
  return status === 'ok' || (status === 'bare' && agentId === null);
}

function delays(posts: readonly NewPost[], now: number): number[] {
  return posts
    .slice(-INDEXED_AT_ONCE)
    .map(({ at }) => Math.min(MOST_MS, Math.max(0, now - at)));
}
