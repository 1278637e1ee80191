import { Any, type FindOperator } from 'typeorm';
import {
  MirrorMessage,
  MirrorSearch,
} from '../../../server/db/entities/mirror-message.js';
import type { Sql, Tx } from '../../../server/db/sql.js';
import type { KnownPost, MessageState, NewPost } from '../verify/judged.js';
import { formerLogs, logsOfBoard } from './mirror-log.js';
import {
  addReplies,
  type Counters,
  insertPosts,
  recountThreads,
  storeStates,
} from './posts.sql.js';

const COLUMNS = {
  originId: true,
  id: true,
  rootId: true,
  messageHash: true,
  agentId: true,
  pollId: true,
  room: true,
  status: true,
  visibility: true,
  erased: true,
  removal: true,
  removalBy: true,
  removalAt: true,
  removalExplain: true,
  removalIndex: true,
  pollClose: true,
  pollDecision: true,
} as const;

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
  const logs = await formerLogs(sql, originId);
  if (logs.length === 0) return found;
  // The latest former log comes last and wins.
  for (const row of await findPosts(sql, Any(logs), missing)) {
    found.set(row.id, { ...knownPost(row), originId: row.originId });
  }
  return found;
}

type PostRow = Pick<MirrorMessage, keyof typeof COLUMNS>;

async function findPosts(
  { manager }: Sql,
  originId: number | FindOperator<number>,
  ids: readonly number[],
): Promise<PostRow[]> {
  return await manager.find(MirrorMessage, {
    select: COLUMNS,
    where: { originId, id: Any(ids) },
    order: { originId: 'ASC' },
  });
}

function knownPost(row: PostRow): KnownPost {
  const { removal, removalIndex: index, removalAt: at } = row;
  return {
    id: row.id,
    rootId: row.rootId,
    hash: row.messageHash,
    agentId: row.agentId,
    pollId: row.pollId,
    room: row.room,
    state: {
      status: row.status,
      visibility: row.visibility,
      erased: row.erased,
      removal:
        removal === null || index === null || at === null
          ? null
          : {
              reason: removal,
              by: row.removalBy ?? 'operator',
              at,
              explain: row.removalExplain,
              index,
            },
      pollClose: row.pollClose as MessageState['pollClose'],
      pollDecision: row.pollDecision as MessageState['pollDecision'],
    },
  };
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
