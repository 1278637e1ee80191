// By hand: one snapshot by lateral joins over several tables.
import type { Content } from '../../protocol/content.js';
import { LogEntry, LogState } from '../../server/db/entities/log.js';
import { Message } from '../../server/db/entities/message.js';
import { MirrorMessage } from '../../server/db/entities/mirror-message.js';
import type { Sql } from '../../server/db/sql.js';
import {
  type StoredContent,
  storedContent,
} from '../../server/db/stored-content.js';
import { pollContentOfRoot } from '../../server/polls/index.js';
import type { KeptLog } from './log-reads.js';

/** Of 32 lines of a note (spec/mesh.md §B1), without the log's. */
const COSIGNERS_MAX = 31;

type OwnHead = {
  identity: string;
  size: number;
  /** Log signature, then cosignatures of this size. */
  checkpoint: string;
  /** In ms. */
  at: number;
};

export async function ownHead(
  sql: Sql,
  originId: number,
): Promise<OwnHead | null> {
  const row = await sql.manager
    .createQueryBuilder(LogState, 's')
    .select(['s.identity AS identity', 's.size AS size', 's.lastAt AS at'])
    .addSelect(`s.checkpoint || array_to_string(ARRAY(SELECT c.line
      FROM log_cosignature c WHERE c.origin_id = s.originId AND c.size = s.size
      ORDER BY c.cosigner LIMIT ${COSIGNERS_MAX}), '') AS checkpoint`)
    .where({ originId })
    .getRawOne<OwnHead>();
  return row ?? null;
}

/** Between two pages a mirror's size has no signed head. */
export async function mirroredHead(
  sql: Sql,
  originId: number,
  mirrorVkey: string,
): Promise<{ checkpoint: string } | null> {
  const [head] = await sql.query<{ checkpoint: string }>(
    `SELECT k.note || coalesce((SELECT c.line
       FROM log_cosignature c WHERE c.origin_id = $1 AND c.size = k.size
         AND c.vkey = $2), '') AS checkpoint
     FROM log_state s
     CROSS JOIN LATERAL (SELECT size, note FROM log_checkpoint
       WHERE origin_id = $1 AND size <= s.size
       ORDER BY size DESC LIMIT 1) k
     WHERE s.origin_id = $1`,
    [originId, mirrorVkey],
  );
  return head ?? null;
}

/** Null: removed; `withheld`: not stored or shown; undefined: no post. */
export async function contentAtIndex(
  sql: Sql,
  { originId, own }: KeptLog,
  index: number,
): Promise<Content | null | 'withheld' | undefined> {
  if (own) {
    const row = await sql.manager
      .createQueryBuilder(LogEntry, 'e')
      .innerJoin(Message, 'm', 'm.id = e.messageId')
      .select(['m.salt AS salt', 'm.author AS author', 'm.title AS title'])
      .addSelect(['m.body AS body', `${pollContentOfRoot('m')} AS poll`])
      .where({ originId, idx: index, type: 'post' })
      .getRawOne<StoredContent>();
    return row && storedContent(row);
  }
  // Not stored is not removed: only the origin, or a removal that reached us,
  // says that.
  const row = await sql.manager
    .createQueryBuilder(MirrorMessage, 'm')
    .select(['m.originId', 'm.id', 'm.salt', 'm.author', 'm.title', 'm.body'])
    .addSelect(['m.poll', 'm.status', 'm.hiddenAt'])
    .where('m.originId = :originId AND m.logIndex = :index')
    .setParameters({ originId, index })
    .getOne();
  if (row === null) return undefined;
  const { hiddenAt, status } = row;
  const isGiven = hiddenAt === null && /^(?:ok|removed)$/.test(status);
  return isGiven ? storedContent(row as StoredContent) : 'withheld';
}

export const FEED_CONTENTS = ['all', 'signed', 'none'] as const;
/** Later entries are not shown. */
type FeedHead = { origin: string; size: number; checkpoint: string };
/** `content`: undefined = none to give, null = removed. */
export type FeedRow = { leaf: Buffer; content: Content | null | undefined };
type FeedRows = { head: FeedHead | null; rows: FeedRow[] };

type Joined = StoredContent & {
  origin: string;
  size: number;
  note: string;
  /** Null in the only row of an empty page. */
  idx: number | null;
  leaf: Buffer;
  status: string | null;
};

/** One snapshot: a content is absent only where the head covers its removal. */
function feedSql(message: string, status: string, poll: string): string {
  return `SELECT s.origin, c.size, c.note, e.idx, e.leaf,
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

/** `head` is null for unknown logs and before the first signed head. */
export async function readFeed(
  sql: Sql,
  { originId, own }: KeptLog,
  from: number,
  limit: number,
  contents: (typeof FEED_CONTENTS)[number],
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
  const rows = found.flatMap((row) => {
    const { idx, leaf, status } = row;
    if (idx === null) return [];
    const kept = status === 'ok' ? storedContent(row) : undefined;
    return [{ leaf, content: status === 'removed' ? null : kept }];
  });
  return { head: { origin, size, checkpoint: note }, rows };
}
