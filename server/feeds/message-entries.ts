import type { Context } from '../context.js';
import { messageReadUrl, messageUrl, moderationUrl } from '../http/urls.js';
import {
  bareColumns,
  HIDDEN,
  type MessageRow,
} from '../reading/message-columns.js';
import { type Entry, FEED_ENTRIES } from './feed.js';
import { tagUri } from './tag-uri.js';

type Row = Omit<MessageRow, 'existing'> & {
  root_title: string | null;
  parent_root: number | null;
  /** When a decision last took its text away or gave it back. */
  decided_at: number | null;
};

/** `page` names the messages, the newest first. */
function statement(page: string): string {
  return `SELECT ${bareColumns('m')}, root.title AS root_title,
      (SELECT max(d.decided_at) FROM decision d WHERE d.message_id = m.id
        AND d.action IN ('remove', 'reinstate', 'erase')) AS decided_at
    FROM (${page}) page JOIN message m ON m.id = page.id
      JOIN message root ON root.id = m.root_id
    ORDER BY m.id DESC`;
}

const SEEN = `NOT EXISTS (SELECT FROM message h WHERE h.id = m.root_id
    AND h.reply_to IS NULL AND h.visibility IN ${HIDDEN})`;
const NEWEST = `ORDER BY m.id DESC LIMIT ${FEED_ENTRIES}`;

const OF_BOARD = statement(
  `SELECT m.id FROM message m WHERE ${SEEN} ${NEWEST}`,
);
const OF_ROOM = statement(
  `SELECT m.id FROM message m WHERE m.room = $1 AND ${SEEN} ${NEWEST}`,
);
const OF_THREAD = statement(
  `SELECT m.id FROM message m WHERE m.root_id = $1 ${NEWEST}`,
);

/** Which messages a feed is of. */
export type Scope =
  | { kind: 'board' }
  | { kind: 'room'; room: string }
  | { kind: 'thread'; rootId: number };

/**
 * The newest messages, newest first. Topics that ratings or a decision hid
 * stay out of board and rooms, as out of every default list; removed messages
 * stay in as tombstones, so that a reader's copy of the text goes.
 */
export async function messageEntries(
  ctx: Pick<Context, 'reads' | 'config' | 'board'>,
  scope: Scope,
): Promise<Entry[]> {
  const rows = await rowsOf(ctx, scope);
  return rows.map((row) => entryOf(ctx, row));
}

async function rowsOf({ reads }: Pick<Context, 'reads'>, scope: Scope) {
  switch (scope.kind) {
    case 'board':
      return await reads.query<Row>(OF_BOARD);
    case 'room':
      return await reads.query<Row>(OF_ROOM, [scope.room]);
    case 'thread':
      return await reads.query<Row>(OF_THREAD, [scope.rootId]);
  }
}

function entryOf(
  { config: { baseUrl }, board }: Pick<Context, 'config' | 'board'>,
  row: Row,
): Entry {
  const named = (id: number) => tagUri(board.name, `message:${id}`);
  const removed = row.body === null;
  return {
    id: named(row.id),
    title: titleOf(row),
    url: messageUrl(baseUrl, row.root_id, row.id),
    readUrl: removed
      ? moderationUrl(baseUrl, row.id)
      : messageReadUrl(baseUrl, row.id),
    published: row.created_at,
    updated: Math.max(row.created_at, row.decided_at ?? 0),
    author: removed ? 'removed' : (row.author ?? ''),
    text: row.body ?? REMOVED(moderationUrl(baseUrl, row.id)),
    room: row.room,
    messageId: row.id,
    rootId: row.root_id,
    parent:
      row.reply_to === null
        ? null
        : {
            id: named(row.reply_to),
            url: messageUrl(baseUrl, row.root_id, row.reply_to),
          },
    removed,
  };
}

const REMOVED = (url: string) =>
  `This message was removed; the decision is at ${url}`;

function titleOf(row: Row): string {
  if (row.reply_to === null) return row.title ?? 'Removed topic';
  const what = row.body === null ? 'Removed reply' : 'Reply';
  return row.root_title === null
    ? `${what} in a removed topic`
    : `${what}: ${row.root_title}`;
}
