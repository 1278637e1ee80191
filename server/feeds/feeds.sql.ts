// By hand: joins of a page over three tables.
import type { Room } from '../../protocol/room.js';
import type { Sql } from '../db/sql.js';
import { HIDDEN, oneOf } from '../db/states.js';
import type { DecisionRow } from '../moderation/index.js';
import { DECISION_COLUMNS } from '../moderation/index.js';
import { bareColumns, type MessageRow } from '../reading/index.js';
import { FEED_ENTRIES } from './feed.js';

export type MessageEntryRow = Omit<MessageRow, 'existing'> & {
  root_title: string | null;
  /** When a decision last removed or restored the text. */
  decided_at: number | null;
};

/** `page`: IDs, newest first. */
function statement(page: string): string {
  return `SELECT ${bareColumns('m')}, root.title AS root_title,
      (SELECT max(d.decided_at) FROM decision d WHERE d.message_id = m.id
        AND d.action IN ('remove', 'reinstate', 'erase')) AS decided_at
    FROM (${page}) page JOIN message m ON m.id = page.id
      JOIN message root ON root.id = m.root_id
    ORDER BY m.id DESC`;
}

const SEEN = `NOT EXISTS (SELECT FROM message h WHERE h.id = m.root_id
    AND h.reply_to IS NULL AND ${oneOf('h.visibility', HIDDEN)})`;
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

export type Scope =
  | { kind: 'board' }
  | { kind: 'room'; room: string }
  | { kind: 'thread'; rootId: number };

export async function newestMessages(
  sql: Sql,
  scope: Scope,
): Promise<MessageEntryRow[]> {
  switch (scope.kind) {
    case 'board':
      return await sql.query<MessageEntryRow>(OF_BOARD);
    case 'room':
      return await sql.query<MessageEntryRow>(OF_ROOM, [scope.room]);
    case 'thread':
      return await sql.query<MessageEntryRow>(OF_THREAD, [scope.rootId]);
  }
}

type DecisionEntryRow = DecisionRow & {
  message_id: number;
  root_id: number;
  room: Room;
  outcome: string | null;
};

export async function newestDecisions(sql: Sql): Promise<DecisionEntryRow[]> {
  return await sql.query<DecisionEntryRow>(
    `SELECT ${DECISION_COLUMNS}, d.message_id, d.outcome, m.root_id, m.room
     FROM decision d JOIN message m ON m.id = d.message_id
     ORDER BY d.id DESC LIMIT ${FEED_ENTRIES}`,
  );
}
