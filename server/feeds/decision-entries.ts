import type { Room } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { DECISION_COLUMNS, type DecisionRow } from '../moderation/record-decision.js';
import { messageUrl, moderationUrl } from '../http/urls.js';
import { type Entry, FEED_ENTRIES } from './feed.js';
import { tagUri } from './tag-uri.js';

type Row = DecisionRow & {
  message_id: number;
  root_id: number;
  room: Room;
  outcome: string | null;
};

const STATEMENT = `SELECT ${DECISION_COLUMNS}, d.message_id, d.outcome,
    m.root_id, m.room
  FROM decision d JOIN message m ON m.id = d.message_id
  ORDER BY d.id DESC LIMIT ${FEED_ENTRIES}`;

/**
 * The newest decisions of the operators, newest first (spec/operators.md §2.7).
 */
export async function decisionEntries({
  reads,
  config: { baseUrl },
  board,
}: Pick<Context, 'reads' | 'config' | 'board'>): Promise<Entry[]> {
  const rows = await reads.query<Row>(STATEMENT);
  return rows.map((row) => ({
    id: tagUri(board.name, `decision:${row.id}`),
    title: `${row.outcome ?? row.action}: message ${row.message_id} (${row.reason})`,
    url: messageUrl(baseUrl, row.root_id, row.message_id),
    readUrl: moderationUrl(baseUrl, row.message_id),
    published: row.decided_at,
    updated: row.decided_at,
    author: row.operator,
    text: row.explanation,
    room: row.room,
    messageId: row.message_id,
    rootId: row.root_id,
    parent: null,
    removed: false,
  }));
}
