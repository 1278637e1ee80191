import { type Tx, together } from '../../server/db/sql.js';
import { referenceCandidates } from '../../server/text/references.js';
import { formerLogs } from './former-logs.js';
import type { NewPost } from './judged.js';
import type { KnownPost } from './message-state.js';
import { bytea } from './store-log.js';

type Counters = { replies: number; lastReply: number | null };

/** Replies that a thread counts: stubs too, but nothing removed or invalid. */
function isCounted({ state: { status } }: KnownPost): boolean {
  return status !== 'removed' && status !== 'invalid';
}

/** Counted replies of a page by their root. */
function repliesByRoot(posts: readonly NewPost[]): Map<number, Counters> {
  const counters = new Map<number, Counters>();
  for (const post of posts) {
    if (post.replyTo === null || !isCounted(post)) continue;
    const known = counters.get(post.rootId);
    const replies = (known?.replies ?? 0) + 1;
    counters.set(post.rootId, { replies, lastReply: post.id });
  }
  return counters;
}

/** Writes the posts of a page and counts their replies. */
export async function storePosts(
  tx: Tx,
  originId: number,
  posts: readonly NewPost[],
  now: number,
): Promise<void> {
  if (posts.length === 0) return;
  const counters = repliesByRoot(posts);
  const inserted = insertPosts(tx, originId, posts, counters, now);
  const fresh = new Set(posts.map(({ id }) => id));
  const older = [...counters].filter(([root]) => !fresh.has(root));
  if (older.length === 0) return await inserted;
  const counted = [
    older.map(([root]) => root),
    older.map(([, { replies }]) => replies),
    older.map(([, { lastReply }]) => lastReply),
  ];
  const [, found] = await together([
    inserted,
    tx.query(ADD_REPLIES, [originId, ...counted]),
  ]);
  if (found.length === older.length) return;
  for (const former of await formerLogs(tx, originId)) {
    await tx.query(ADD_REPLIES, [former, ...counted]);
  }
}

const ADD_REPLIES = `UPDATE mirror_message m
  SET reply_count = m.reply_count + c.replies, last_reply_id = c.last,
    last_activity_id = c.last
  FROM unnest($2::bigint[], $3::integer[], $4::bigint[])
    AS c (root_id, replies, last)
  WHERE m.origin_id = $1 AND m.id = c.root_id RETURNING 1`;

async function insertPosts(
  tx: Tx,
  originId: number,
  posts: readonly NewPost[],
  counters: ReadonlyMap<number, Counters>,
  now: number,
): Promise<void> {
  const of = <T>(value: (post: NewPost) => T): T[] => posts.map(value);
  await tx.query(INSERT_POSTS, [
    originId,
    now,
    of(({ id }) => id),
    of(({ rootId }) => rootId),
    of(({ replyTo }) => replyTo),
    of(({ room }) => room),
    of(({ content }) => content?.name ?? null),
    of(({ agentId }) => agentId),
    of(({ keySeq }) => keySeq),
    of(({ content }) => content?.title ?? null),
    of(({ content }) => content?.body ?? null),
    of(({ content }) => (content?.poll ? JSON.stringify(content.poll) : null)),
    of(({ content }) => bytea(content?.salt ?? null)),
    of(({ content }) => refsOf(content?.body ?? '')),
    of(({ at }) => at),
    of(({ request }) => request),
    of(({ hash }) => bytea(hash)),
    of(({ index }) => index),
    of(({ via }) => via),
    of(({ vote }) => vote),
    of(({ voteResult }) => voteResult),
    // A removed one is removed by `storeChanges`, which knows by what.
    of(({ state: { status } }) => (status === 'removed' ? 'bare' : status)),
    of(({ fault }) => fault),
    of(({ contentHash }) => bytea(contentHash)),
    of(({ pollId }) => pollId),
    of(({ id }) => counters.get(id)?.replies ?? 0),
    of(({ id }) => counters.get(id)?.lastReply ?? null),
  ]);
}

/** A PostgreSQL array as text: arrays of arrays would have to be even. */
export function refsOf(body: string): string | null {
  const refs = referenceCandidates(body);
  return refs.length === 0 ? null : `{${refs.join(',')}}`;
}

const INSERT_POSTS = `INSERT INTO mirror_message (origin_id, id, root_id,
    reply_to, room, author, agent_id, key_seq, title, body, poll, salt, refs,
    created_at, received_at, request_id, message_hash, log_index, via, vote,
    vote_result, signature_status, status, fault, content_hash, fetch_at,
    poll_id, reply_count, last_reply_id, last_activity_id)
  SELECT $1, id, root_id, reply_to, room, author, agent_id, key_seq, title,
    body, poll::jsonb, salt, refs::bigint[], created_at, $2::bigint,
    request_id, message_hash, log_index, via, vote, vote_result,
    CASE WHEN agent_id IS NULL THEN 'guest' ELSE 'signed' END, status, fault,
    content_hash, CASE WHEN status = 'missing' THEN $2::bigint END, poll_id,
    replies, last_reply, coalesce(last_reply, id)
  FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::text[],
    $7::text[], $8::text[], $9::integer[], $10::text[], $11::text[],
    $12::text[], $13::bytea[], $14::text[], $15::bigint[], $16::uuid[],
    $17::bytea[], $18::bigint[], $19::text[], $20::smallint[], $21::text[],
    $22::text[], $23::text[], $24::bytea[], $25::bigint[], $26::integer[],
    $27::bigint[])
    AS p (id, root_id, reply_to, room, author, agent_id, key_seq, title, body,
      poll, salt, refs, created_at, request_id, message_hash, log_index, via,
      vote, vote_result, status, fault, content_hash, poll_id, replies,
      last_reply)`;
