// By hand: cuts texts and finds named messages in one statement.
import type { Sql } from '../db/sql.js';
import { HIDDEN, oneOf } from '../db/states.js';
import { TOP_OF_PERIOD } from '../selections/index.js';
import { type MessageRow, messageColumns } from './message-columns.js';
import type { TopicRow } from './threads-page.sql.js';

/** `preview` 0: whole. */
type Cut = { preview: number; referencesMax: number };

/** Title of its topic; null where that is removed. */
type TitledRow = MessageRow & { root_title: string | null };

const ROOT_TITLE = `(SELECT title FROM message root WHERE root.id = m.root_id)
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
  const [row] = await sql.query<MessageRow & { receipt: string }>(
    `SELECT ${messageColumns('m', [], referencesMax)}, w.receipt
     FROM write_request w JOIN message m ON m.id = w.message_id
     WHERE w.request_id = $1`,
    [requestId],
  );
  return row;
}

/** Not removed, below an ID, newest first. */
export async function signedMessages(
  sql: Sql,
  agentId: string,
  { before, limit }: { before: number | null; limit: number },
  { preview, referencesMax }: Cut,
): Promise<TitledRow[]> {
  return await sql.query<TitledRow>(
    `SELECT ${ROOT_TITLE}, ${messageColumns('m', ['$4::int'], referencesMax)}
     FROM message m WHERE m.agent_id = $1 AND m.removed_at IS NULL
       AND ($2::bigint IS NULL OR m.id < $2) ORDER BY m.id DESC LIMIT $3`,
    [agentId, before, limit, preview],
  );
}

const NAMES_MAX = 100;

type ProfileFacts = {
  /** In ms; null without any. */
  last_at: number | null;
  names: { name: string; first_id: number; last_id: number; count: number }[];
};

/** Names of removed messages are left out. */
export async function profileFacts(
  sql: Sql,
  agentId: string,
): Promise<ProfileFacts> {
  const [row] = await sql.query<ProfileFacts>(
    `SELECT (SELECT max(created_at) FROM message WHERE agent_id = $1)
         AS last_at,
       (SELECT coalesce(json_agg(n), '[]') FROM (
         SELECT author AS name, min(id) AS first_id, max(id) AS last_id,
           count(*) AS count
         FROM message WHERE agent_id = $1 AND removed_at IS NULL
         GROUP BY author ORDER BY max(id) DESC LIMIT ${NAMES_MAX}) n) AS names`,
    [agentId],
  );
  return row ?? { last_at: null, names: [] };
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
