import { Any } from 'typeorm';
import { MirrorSearch } from '../../../server/db/entities/mirror-message.js';
import type { Sql, Tx } from '../../../server/db/sql.js';
import type { KnownPost, NewPost } from '../verify/judged.js';
import { formerLogs, logsOfBoard } from './mirror-log.js';
import {
  addReplies,
  type Counters,
  findPosts,
  insertPosts,
  type PostRow,
  recountThreads,
  storeStates,
} from './posts.sql.js';

/** With their states; others are looked for in former generations. */
export async function readPosts(
  sql: Sql,
  originId: number,
  ids: readonly number[],
): Promise<Map<number, KnownPost>> {
  const found = new Map<number, KnownPost>();
  if (ids.length === 0) return found;
  for (const row of await findPosts(sql, originId, ids)) {
    found.set(row.id, knownPost(row));
  }
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  // The latest former log comes last and wins.
  for (const former of (await formerLogs(sql, originId)).reverse()) {
    for (const row of await findPosts(sql, former, missing)) {
      found.set(row.id, { ...knownPost(row), originId: former });
    }
  }
  return found;
}

function knownPost(row: PostRow): KnownPost {
  const { id, rootId, hash, agentId, pollId, room } = row;
  const { status, visibility, erased, pollClose, pollDecision } = row;
  const { removal: reason, removalIndex: index, removalAt: at } = row;
  const { removalBy, removalExplain: explain } = row;
  const by = removalBy ?? 'operator';
  const isRemoved = reason !== null && index !== null && at !== null;
  const removal = isRemoved ? { reason, by, at, explain, index } : null;
  const decided = { removal, pollClose, pollDecision };
  const state = { status, visibility, erased, ...decided };
  return { id, rootId, hash, agentId, pollId, room, state };
}

/** By root; with stubs, without removed ones. */
function repliesByRoot(posts: readonly NewPost[]): Map<number, Counters> {
  const counters = new Map<number, Counters>();
  for (const { id, replyTo, rootId, state } of posts) {
    const { status } = state;
    if (replyTo === null || status === 'removed' || status === 'invalid') {
      continue;
    }
    const replies = (counters.get(rootId)?.replies ?? 0) + 1;
    counters.set(rootId, { replies, lastReply: id });
  }
  return counters;
}

export async function storePosts(
  tx: Tx,
  originId: number,
  posts: readonly NewPost[],
  now: number,
): Promise<void> {
  if (posts.length === 0) return;
  const counters = repliesByRoot(posts);
  await insertPosts(tx, originId, posts, counters, now);
  const fresh = new Set(posts.map(({ id }) => id));
  const older = [...counters].filter(([root]) => !fresh.has(root));
  if (older.length === 0) return;
  const found = await addReplies(tx, originId, older);
  if (found === older.length) return;
  for (const former of await formerLogs(tx, originId)) {
    await addReplies(tx, former, older);
  }
}

/**
 * Final states of own and earlier posts. A text goes with all derived from it
 * unless its status is `ok`; threads are counted again. Former generations'
 * posts change there.
 */
export async function storeChanges(
  tx: Tx,
  originId: number,
  posts: readonly NewPost[],
  changed: ReadonlyMap<number, KnownPost>,
  now: number,
): Promise<void> {
  const decided = posts.filter(({ state }) => isDecided(state));
  const logs = new Map<number, KnownPost[]>([[originId, []]]);
  for (const post of changed.values()) {
    const log = post.originId ?? originId;
    logs.set(log, [...(logs.get(log) ?? []), post]);
  }
  for (const [log, earlier] of logs) {
    const all = log === originId ? [...decided, ...earlier] : earlier;
    if (all.length === 0) continue;
    await storeStates(tx, log, all, now);
    const gone = earlier.filter(({ state }) => state.status !== 'ok');
    if (gone.length === 0) continue;
    const ids = gone.map(({ id }) => id);
    await tx.manager.delete(MirrorSearch, {
      originId: log,
      messageId: Any(ids),
    });
    const roots = [...new Set(gone.map(({ rootId }) => rootId))];
    // A topic and its replies may be in two generations' logs.
    await recountThreads(tx, await logsOfBoard(tx, log), roots);
  }
}

function isDecided(state: KnownPost['state']): boolean {
  return (
    state.removal !== null ||
    state.visibility !== 'visible' ||
    state.pollClose !== null ||
    state.pollDecision !== null
  );
}
