// By hand: `GET /api/messages/{id}` (R3), and lists bounded by CTEs.
import { IsNull, LessThan } from 'typeorm';
import { InboxEntry } from '../db/entities/inbox-entry.js';
import { Message } from '../db/entities/message.js';
import { WriteRequest } from '../db/entities/ticket.js';
import type { Sql } from '../db/sql.js';
import { HIDDEN, oneOf } from '../db/states.js';
import { TOP_OF_PERIOD } from '../selections/index.js';
import { type MessageRow, messageColumns } from './message-columns.js';
import type { TopicRow } from './threads-page.sql.js';

/** `preview` 0: whole. */
type Cut = { preview: number; referencesMax: number };

/** Title of its topic; null where that is removed. */
type TitledRow = MessageRow & { root_title: string | null };

const ROOT_TITLE = `(SELECT title FROM message topic WHERE topic.id = m.root_id)
  AS root_title`;

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
  return await sql.manager
    .createQueryBuilder(Message, 'm')
    .select([ROOT_TITLE, messageColumns('m', [`${preview}`], referencesMax)])
    .where({ agentId, removedAt: IsNull() })
    .andWhere(before === null ? {} : { id: LessThan(before) })
    .orderBy('m.id', 'DESC')
    .limit(limit)
    .getRawMany<TitledRow>();
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
  return await sql.manager
    .createQueryBuilder(Message, 'm')
    .innerJoin(
      (answers) =>
        answers
          .select('DISTINCT e.messageId', 'id')
          .from(InboxEntry, 'e')
          .where('e.toAgent = :agentId')
          .orderBy('id', 'DESC')
          .limit(ANSWERS_LOOKED_AT),
      'answer',
      'answer.id = m.id',
    )
    .innerJoin(Message, 'root', 'root.id = m.rootId')
    .select([ROOT_TITLE, messageColumns('m', [`${preview}`], referencesMax)])
    .where({ removedAt: IsNull() })
    .andWhere('root.visibility NOT IN (:...hidden)', { hidden: HIDDEN })
    .setParameter('agentId', agentId)
    .orderBy('m.id', 'DESC')
    .limit(limit)
    .getRawMany<TitledRow>();
}

const NAMES_MAX = 100;

type ProfileFacts = {
  /** In ms; null without any. */
  last_at: number | null;
  names: { name: string; first_id: number; last_id: number; count: number }[];
};

/** Names of removed messages are left out. */
export async function profileFacts(
  { manager }: Sql,
  agentId: string,
): Promise<ProfileFacts> {
  const lastAt = manager.maximum(Message, 'createdAt', { agentId });
  const names = manager
    .createQueryBuilder(Message, 'm')
    .select(['m.author AS name', 'count(*) AS count'])
    .addSelect(['min(m.id) AS first_id', 'max(m.id) AS last_id'])
    .where({ agentId, removedAt: IsNull() })
    .groupBy('m.author')
    .orderBy('last_id', 'DESC')
    .limit(NAMES_MAX)
    .getRawMany<ProfileFacts['names'][number]>();
  const [last_at, found] = await Promise.all([lastAt, names]);
  return { last_at, names: found };
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
