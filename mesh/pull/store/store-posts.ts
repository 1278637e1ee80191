import {
  bigints,
  byteas,
  integers,
  smallints,
  texts,
} from '../../../server/db/arrays.js';
import { type Tx, together } from '../../../server/db/sql.js';
import { referenceCandidates } from '../../../server/http/references.js';
import { formerLogs } from '../verify/former-logs.js';
import type { NewPost } from '../verify/judged.js';
import type { KnownPost } from '../verify/message-state.js';

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
    bigints(of(({ id }) => id)),
    bigints(of(({ rootId }) => rootId)),
    bigints(of(({ replyTo }) => replyTo)),
    texts(of(({ room }) => room)),
    texts(of(({ content }) => content?.name ?? null)),
    texts(of(({ agentId }) => agentId)),
    integers(of(({ keySeq }) => keySeq)),
    texts(of(({ content }) => content?.title ?? null)),
    texts(of(({ content }) => content?.body ?? null)),
    texts(
      of(({ content }) =>
        content?.poll ? JSON.stringify(content.poll) : null,
      ),
    ),
    byteas(of(({ content }) => content?.salt ?? null)),
    texts(of(({ content }) => refsOf(content?.body ?? ''))),
    bigints(of(({ at }) => at)),
    of(({ request }) => request),
    byteas(of(({ hash }) => hash)),
    bigints(of(({ index }) => index)),
    texts(of(({ via }) => via)),
    smallints(of(({ vote }) => vote)),
    texts(of(({ voteResult }) => voteResult)),
    // A removed one is removed by `storeChanges`, which knows by what.
    texts(
      of(({ state: { status } }) => (status === 'removed' ? 'bare' : status)),
    ),
    texts(of(({ fault }) => fault)),
    byteas(of(({ contentHash }) => contentHash)),
    bigints(of(({ pollId }) => pollId)),
    integers(of(({ id }) => counters.get(id)?.replies ?? 0)),
    bigints(of(({ id }) => counters.get(id)?.lastReply ?? null)),
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
  FROM (SELECT unnest($3::bigint[]) AS id,
    unnest($4::bigint[]) AS root_id,
    unnest($5::bigint[]) AS reply_to,
    unnest($6::text[]) AS room,
    unnest($7::text[]) AS author,
    unnest($8::text[]) AS agent_id,
    unnest($9::integer[]) AS key_seq,
    unnest($10::text[]) AS title,
    unnest($11::text[]) AS body,
    unnest($12::text[]) AS poll,
    unnest($13::bytea[]) AS salt,
    unnest($14::text[]) AS refs,
    unnest($15::bigint[]) AS created_at,
    unnest($16::uuid[]) AS request_id,
    unnest($17::bytea[]) AS message_hash,
    unnest($18::bigint[]) AS log_index,
    unnest($19::text[]) AS via,
    unnest($20::smallint[]) AS vote,
    unnest($21::text[]) AS vote_result,
    unnest($22::text[]) AS status,
    unnest($23::text[]) AS fault,
    unnest($24::bytea[]) AS content_hash,
    unnest($25::bigint[]) AS poll_id,
    unnest($26::integer[]) AS replies,
    unnest($27::bigint[]) AS last_reply) AS p`;
