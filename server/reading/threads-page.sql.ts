// By hand (R3, L1): keyset pages over activity at a snapshot.
import type { Sql } from '../db/sql.js';
import { HIDDEN, oneOf } from '../db/states.js';
import {
  type MessageRow,
  messageColumns,
  OWN,
  type Source,
} from './message-columns.js';

type TopicQuery = {
  sort: 'new' | 'active';
  room?: string | undefined;
  visibility?: 'hidden' | 'all' | undefined;
  unanswered: boolean;
  limit: number;
  /** Last root of the page before; null: from the top. */
  before: number | null;
  /** Highest counted message ID; null: the newest. */
  snapshot: number | null;
  preview: number;
  /** Only the most active project announcement. */
  curated?: boolean;
};

export type TopicRow = MessageRow & {
  reply_count: number;
  last_reply_id: number | null;
  /** Of the newest message not removed, at the snapshot. */
  activity_at: number;
  visibility: string;
};

/**
 * The longest page and one: a bound that the planner sees, unlike `$3`; without
 * it each call is planned anew, which takes longer than the read.
 */
const LARGEST_PAGE = 101;

/** Newest message of `r` at the snapshot; the root if all are gone. */
const ACTIVITY = `coalesce((SELECT max(x.id) FROM message x
  WHERE x.root_id = r.id AND x.id <= (SELECT snapshot FROM head)
    AND x.removed_at IS NULL), r.id)`;

const isHidden = (root: string) => oneOf(`${root}.visibility`, HIDDEN);

/** At most one announcement (spec/board.md §2.2). */
function curated(inRoom: boolean): string {
  return `(NOT r.promotion OR r.id = (SELECT p.id FROM message p
    WHERE p.reply_to IS NULL AND p.promotion AND p.removed_at IS NULL
      AND NOT ${isHidden('p')} ${inRoom ? 'AND p.room = $4' : ''}
      AND p.last_activity_id < (SELECT activity FROM upper_bound)
    ORDER BY p.last_activity_id DESC LIMIT 1))`;
}

function filters(query: TopicQuery): string {
  const { room, visibility, unanswered } = query;
  const parts = ['r.reply_to IS NULL', 'r.id <= (SELECT snapshot FROM head)'];
  if (room !== undefined) parts.push('r.room = $4');
  if (visibility === 'hidden') parts.push(isHidden('r'));
  if (visibility === undefined) parts.push(`NOT ${isHidden('r')}`);
  if (visibility !== 'all') parts.push('r.removed_at IS NULL');
  if (unanswered) {
    parts.push(`(r.reply_count = 0 OR NOT EXISTS (SELECT FROM message x
      WHERE x.root_id = r.id AND x.id > r.id AND x.removed_at IS NULL
        AND x.id <= (SELECT snapshot FROM head)))`);
  }
  if (query.curated) parts.push(curated(room !== undefined));
  return parts.join(' AND ');
}

/** The activity of an unanswered root is its own ID. */
function byId(query: TopicQuery): string {
  return `SELECT r.id, ${query.unanswered ? 'r.id' : 'r.last_activity_id'}
      AS activity
    FROM message r WHERE ${filters(query)}
      AND ($2::bigint IS NULL OR r.id < $2) ORDER BY r.id DESC LIMIT $3`;
}

/** By an index, except for the few active since the snapshot. */
function byActivity(query: TopicQuery): string {
  const where = filters(query);
  const bound = Math.max(query.limit, LARGEST_PAGE);
  const upper = '(SELECT activity FROM upper_bound)';
  return `SELECT id, activity FROM (
      (SELECT r.id, r.last_activity_id AS activity FROM message r
        WHERE ${where} AND r.last_activity_id < ${upper}
          AND r.last_activity_id <= (SELECT snapshot FROM head)
        ORDER BY r.last_activity_id DESC LIMIT ${bound})
      UNION ALL
      (SELECT * FROM (SELECT r.id, ${ACTIVITY} AS activity FROM message r
          WHERE ${where}
            AND r.last_activity_id > (SELECT snapshot FROM head)) moved
        WHERE activity < ${upper} ORDER BY activity DESC LIMIT ${bound})
    ) either ORDER BY activity DESC LIMIT $3`;
}

/** $1 snapshot, $2 before, $3 limit, $4 room, $5 preview. */
function statement(
  query: TopicQuery,
  referencesMax: number,
  source: Source,
): string {
  const page =
    query.sort === 'active' && !query.unanswered
      ? byActivity(query)
      : byId(query);
  return `
    WITH ${source.tables(6)} head AS MATERIALIZED (
      SELECT last_message_id AS newest,
        least(coalesce($1, last_message_id), last_message_id) AS snapshot
      FROM log_state WHERE origin_id = 0),
    upper_bound AS MATERIALIZED (
      SELECT coalesce((SELECT ${ACTIVITY} FROM message r WHERE r.id = $2), $2,
        9223372036854775807) AS activity),
    page AS MATERIALIZED (${page})
    SELECT head.newest, page.activity, a.created_at AS activity_at,
      m.reply_count, m.last_reply_id, m.visibility,
      ${messageColumns('m', ['$5::int'], referencesMax)}
      ${source.columns('m')}
    FROM head LEFT JOIN (page JOIN message m ON m.id = page.id
      LEFT JOIN message a ON a.id = page.activity) ON true
    WHERE $4::text IS NULL OR true -- names $4 where no filter does
    ORDER BY ${query.sort === 'active' ? 'page.activity' : 'page.id'} DESC`;
}

export async function topicPage(
  sql: Sql,
  query: TopicQuery,
  referencesMax: number,
  source = OWN,
) {
  type Row = { newest: number } & (TopicRow | { id: null });
  // One more tells whether there is another page.
  const limit = query.limit + 1;
  const text = statement({ ...query, limit }, referencesMax, source);
  const rows = await sql.query<Row>(text, [
    query.snapshot,
    query.before,
    limit,
    query.room ?? null,
    query.preview,
    ...source.values,
  ]);
  const found = rows.filter((row): row is Row & TopicRow => row.id !== null);
  const topics = found.slice(0, query.limit);
  const newest = rows[0]?.newest ?? 0;
  const isLast = found.length === topics.length;
  return {
    topics,
    newest,
    snapshot: Math.min(query.snapshot ?? newest, newest),
    /** Null at the end. */
    nextBefore: isLast ? null : (topics.at(-1)?.id ?? null),
  };
}
