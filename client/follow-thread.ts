import type { MessageOrTombstone } from './answers.js';
import { persistently } from './back-off.js';
import { strange } from './failures.js';
import {
  type Follower,
  type Following,
  messagesOf,
  newestCursor,
  pagesOfUpdates,
  withCursor,
} from './follow-updates.js';
import type { Reads } from './reads.js';

const PAGE = 100;

export type ThreadFrom = {
  /** Exclusive; 0 begins with the opening message. */
  since?: number | undefined;
  /** Begins with so many of the newest instead. */
  last?: number | undefined;
};

/**
 * Oldest first, each once. Threads have no wait, so `/api/updates` of the room
 * (hidden topics included) says when to read; its cursor is taken before the
 * first read, so that nothing is missed.
 */
export function followThread(
  reads: Pick<Reads, 'updates' | 'threads' | 'thread'>,
  id: number,
  { since = 0, last = 0 }: ThreadFrom,
  following: Following,
): Follower {
  let cursor = since;
  const ask = <A>(work: () => Promise<A>) => persistently(work, following);

  async function* unread(
    first: { last: number } | null,
  ): AsyncGenerator<MessageOrTombstone, void, void> {
    for (let query = first; ; query = null) {
      const before = cursor;
      const from = { since: cursor, ...(query ?? { limit: PAGE }) };
      const page = await ask(() => reads.thread(id, from, following));
      for (const message of messagesOf(page)) {
        if (message.id <= cursor) continue;
        cursor = message.id;
        yield message;
      }
      // A page without anything new is the last, even with `has_more`.
      if (!page.has_more || cursor === before) return;
    }
  }

  async function* messages(): AsyncGenerator<MessageOrTombstone, void, void> {
    const start = await newestCursor(reads, following);
    let root: { id: number; room: MessageOrTombstone['room'] } | null = null;
    for await (const message of unread(last > 0 ? { last } : null)) {
      root = { id: message.root_id, room: message.room };
      yield message;
    }
    if (root === null) {
      const { data, root_id } = await ask(() =>
        reads.thread(id, { limit: 1, preview: 1 }),
      );
      const [first] = messagesOf({ data });
      if (first === undefined) throw strange('shows a thread of no messages');
      root = { id: root_id, room: first.room };
    }
    const { id: rootId, room } = root;
    const query = {
      since: start,
      room,
      visibility: 'all',
      preview: 1,
    } as const;
    for await (const page of pagesOfUpdates(reads, query, following)) {
      const news = page.data.some(
        (message) => message.root_id === rootId && message.id > cursor,
      );
      if (news) yield* unread(null);
    }
  }
  return withCursor(messages(), () => cursor);
}
