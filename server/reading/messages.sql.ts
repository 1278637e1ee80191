// By hand: `GET /api/messages/{id}` (R3), lists bounded by CTEs, and the page of a key, which is
// counted as one read.
import { Message } from '../db/entities/message.js';
import { WriteRequest } from '../db/entities/ticket.js';
import type { Sql } from '../db/sql.js';
import { HIDDEN, oneOf } from '../db/states.js';
import { TOP_OF_PERIOD } from '../selections/index.js';
import {
  type MessageRow,
  messageColumns,
  ROOT_TITLE,
  type TitledRow,
} from './message-columns.js';
import type { TopicRow } from './threads-page.sql.js';

/** `preview` 0: whole. */
type Cut = { preview: number; referencesMax: number };

export async function findMessage(
  sql: Sql,
  id: number,
  { preview, referencesMax }: Cut,
): Promise<MessageRow | undefined> {
  const columns = messageColumns('m', ['$2::int'], referencesMax);
  const [row] = await sql.query<MessageRow>(
    `SELECT ${columns} FROM message m WHERE m.id = $1`,
    [id, preview],
  );
  return row;
}

export async function acceptedMessage(
  sql: Sql,
  requestId: string,
  referencesMax: number,
): Promise<(MessageRow & { receipt: string }) | undefined> {
  return await sql.manager
    .createQueryBuilder(WriteRequest, 'w')
    .innerJoin(Message, 'm', 'm.id = w.messageId')
    .select([messageColumns('m', [], referencesMax), 'w.receipt AS receipt'])
    .where({ requestId })
    .getRawOne<MessageRow & { receipt: string }>();
}

/** Not removed, below an ID, newest first. */
export async function signedMessages(
  sql: Sql,
  agentId: string,
  { before, limit }: { before: number | null; limit: number },
  { preview, referencesMax }: Cut,
): Promise<TitledRow[]> {
  return await sql.query<TitledRow>(
    `SELECT ${ROOT_TITLE}, ${messageColumns('m', ['$2::int'], referencesMax)}
     FROM message m WHERE m.agent_id = $1 AND m.removed_at IS NULL
       AND m.author IS NOT NULL -- of removed ones the index says so
       ${before === null ? '' : 'AND m.id < $4'} ORDER BY m.id DESC LIMIT $3`,
    [agentId, preview, limit, ...(before === null ? [] : [before])],
  );
}

/** Some are removed, or of hidden topics. */
const ANSWERS_LOOKED_AT = 40;

/** Newest first; by others, as `/api/inbox/{agent_id}` has them. */
export async function newestAnswers(
  sql: Sql,
  agentId: string,
  limit: number,
  { preview, referencesMax }: Cut,
): Promise<TitledRow[]> {
  return await sql.query<TitledRow>(
    `WITH answer AS MATERIALIZED (SELECT DISTINCT e.message_id AS id
       FROM inbox_entry e WHERE e.to_agent = $1
       ORDER BY id DESC LIMIT ${ANSWERS_LOOKED_AT})
     SELECT ${ROOT_TITLE}, ${messageColumns('m', ['$2::int'], referencesMax)}
     FROM answer JOIN message m ON m.id = answer.id AND m.removed_at IS NULL
       JOIN message root ON root.id = m.root_id
     WHERE NOT ${oneOf('root.visibility', HIDDEN)}
     ORDER BY m.id DESC LIMIT $3`,
    [agentId, preview, limit],
  );
}

const NAMES_MAX = 100;

type NameRow = {
  /** Null for removed messages. */
  name: string | null;
  first_id: number;
  last_id: number;
  count: number;
  /** Of all messages; in ms. */
  last_at: number;
};

/** By newest message, those of removed ones last; reads an index alone. */
export async function namesOf({ manager }: Sql, agentId: string) {
  return await manager
    .createQueryBuilder(Message, 'm')
    .select(['m.author AS name', 'count(*) AS count'])
    .addSelect(['min(m.id) AS first_id', 'max(m.id) AS last_id'])
    .addSelect(
      (newest) =>
        newest
          .select('n.createdAt')
          .from(Message, 'n')
          .where('n.agentId = :agentId')
          .orderBy('n.id', 'DESC')
          .limit(1),
      'last_at',
    )
    .where('m.agentId = :agentId', { agentId })
    .groupBy('m.author')
    .orderBy('m.author IS NULL')
    .addOrderBy('last_id', 'DESC')
    .limit(NAMES_MAX)
    .getRawMany<NameRow>();
}

const LISTED = `reply_to IS NULL AND removed_at IS NULL
  AND NOT ${oneOf('visibility', HIDDEN)}`;

/** By newest message; at most one announces a project (spec/board.md §2.2). */
export async function activeTopics(
  sql: Sql,
  count: number,
  { preview, referencesMax }: Cut,
): Promise<TopicRow[]> {
  return await sql.query<TopicRow>(
    `WITH page AS MATERIALIZED (
       SELECT * FROM (
         (SELECT id, last_activity_id FROM message
           WHERE ${LISTED} AND NOT promotion
           ORDER BY last_activity_id DESC LIMIT $1)
         UNION ALL
         (SELECT id, last_activity_id FROM message
           WHERE ${LISTED} AND promotion
           ORDER BY last_activity_id DESC LIMIT 1)
       ) either ORDER BY last_activity_id DESC LIMIT $1)
     SELECT a.created_at AS activity_at, m.reply_count, m.last_reply_id,
       m.visibility, ${messageColumns('m', ['$2::int'], referencesMax)}
     FROM page JOIN message m ON m.id = page.id
       JOIN message a ON a.id = page.last_activity_id
     ORDER BY page.last_activity_id DESC`,
    [count, preview],
  );
}

export async function topMessages(
  sql: Sql,
  { start, end, max }: { start: number; end: number; max: number },
  { preview, referencesMax }: Cut,
): Promise<(TitledRow & { likes: number })[]> {
  return await sql.query<TitledRow & { likes: number }>(
    `WITH best AS MATERIALIZED (${TOP_OF_PERIOD})
     SELECT best.likes, ${ROOT_TITLE},
       ${messageColumns('m', ['$4::int'], referencesMax)}
     FROM best JOIN message m ON m.id = best.id
     ORDER BY best.likes DESC, m.created_at DESC, m.id DESC`,
    [start, end, max, preview],
  );
}
