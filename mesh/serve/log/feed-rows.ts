import type { Content, PollContent } from '../../../protocol/content.js';
import type { Sql } from '../../../server/db/sql.js';
import { pollContentOfRoot } from '../../../server/polls/poll-row.js';
import type { KeptLog } from './log-of.js';

export const FEED_CONTENTS = ['all', 'signed', 'none'] as const;
export type FeedContents = (typeof FEED_CONTENTS)[number];

/** A log's newest signed head; what lies beyond it is not told. */
export type FeedHead = { origin: string; size: number; checkpoint: string };
/** `content`: undefined = has none to give, null = removed. */
export type FeedRow = {
  index: number;
  leaf: Buffer;
  content: Content | null | undefined;
};
export type FeedRows = { head: FeedHead | null; rows: FeedRow[] };

type Joined = {
  origin: string;
  size: number;
  note: string;
  /** Null in the only row of an empty page, with all that follows. */
  idx: number | null;
  leaf: Buffer;
  agent_id: string | null;
  status: 'ok' | 'removed' | string | null;
  salt: Buffer;
  author: string;
  title: string | null;
  body: string;
  poll: PollContent | null;
};

/**
 * Head, entries and contents in one statement, so in one snapshot: a content
 * is absent only where the head covers its removal.
 */
function feedSql(message: string, status: string, poll: string): string {
  return `SELECT s.origin, c.size, c.note, e.idx, e.leaf, e.agent_id,
      ${status} AS status, m.salt, m.author, m.title, m.body, ${poll} AS poll
    FROM log_state s
    CROSS JOIN LATERAL (SELECT size, note FROM log_checkpoint
      WHERE origin_id = $1 AND size <= s.size
      ORDER BY size DESC LIMIT 1) c
    LEFT JOIN log_entry e ON e.origin_id = $1
      AND e.idx >= $2 AND e.idx < least($3::bigint, c.size)
    LEFT JOIN ${message} AND e.type = 'post' AND $4::text <> 'none'
      AND ($4::text = 'all' OR e.agent_id IS NOT NULL)
    WHERE s.origin_id = $1 ORDER BY e.idx`;
}

const OWN_FEED = feedSql(
  'message m ON m.id = e.message_id',
  "CASE WHEN m.body IS NOT NULL THEN 'ok' WHEN m.id IS NOT NULL THEN 'removed' END",
  `CASE WHEN m.reply_to IS NULL THEN ${pollContentOfRoot('m')} END`,
);
const MIRROR_FEED = feedSql(
  'mirror_message m ON m.origin_id = $1 AND m.id = e.message_id AND m.log_index = e.idx',
  'm.status',
  'm.poll',
);

function contentOf(row: Joined): Content | null | undefined {
  if (row.status === 'removed') return null;
  if (row.status !== 'ok') return undefined;
  return {
    salt: row.salt,
    name: row.author,
    ...(row.title === null ? {} : { title: row.title }),
    body: row.body,
    ...(row.poll === null ? {} : { poll: row.poll }),
  };
}

/**
 * The entries from `from` on, at most `limit`, of a log that this node keeps;
 * `head` is null where it keeps none of that id, or no signed head yet.
 */
export async function readFeed(
  sql: Sql,
  { originId, own }: KeptLog,
  from: number,
  limit: number,
  contents: FeedContents,
): Promise<FeedRows> {
  const found = await sql.query<Joined>(own ? OWN_FEED : MIRROR_FEED, [
    originId,
    from,
    from + limit,
    contents,
  ]);
  const [first] = found;
  if (first === undefined) return { head: null, rows: [] };
  const { origin, size, note } = first;
  const rows = found.flatMap((row) =>
    row.idx === null
      ? []
      : [{ index: row.idx, leaf: row.leaf, content: contentOf(row) }],
  );
  return { head: { origin, size, checkpoint: note }, rows };
}
