// By hand (M1): batches by unnest, and counts over several logs.
import type { MirrorMessage } from '../../../server/db/entities/mirror-message.js';
import type { Sql, Tx } from '../../../server/db/sql.js';
import { referenceCandidates } from '../../../server/http/urls.js';
import { type KnownPost, type NewPost, requestOf } from '../verify/judged.js';
import { hashAt } from './log.sql.js';

/** Each post with its state. */
export type PostRow = Pick<KnownPost, 'id' | 'rootId' | 'agentId' | 'room'> &
  Pick<KnownPost, 'pollId' | 'hash'> &
  Omit<KnownPost['state'], 'removal'> &
  Pick<MirrorMessage, 'removal' | 'removalBy' | 'removalAt'> &
  Pick<MirrorMessage, 'removalExplain' | 'removalIndex'>;

export async function findPosts(
  { query }: Sql,
  originId: number,
  ids: readonly number[],
): Promise<PostRow[]> {
  return await query<PostRow>(
    `SELECT id, root_id AS "rootId", message_hash AS hash,
       agent_id AS "agentId", poll_id AS "pollId", room, status, visibility,
       erased, removal, removal_by AS "removalBy", removal_at AS "removalAt",
       removal_explain AS "removalExplain", removal_index AS "removalIndex",
       poll_close AS "pollClose", poll_decision AS "pollDecision"
     FROM mirror_message WHERE origin_id = $1 AND id = ANY ($2::bigint[])`,
    [originId, ids],
  );
}

/** Of validly signed posts. */
export async function readRequests(
  { query }: Sql,
  originId: number,
  requests: readonly string[],
): Promise<Set<string>> {
  if (requests.length === 0) return new Set();
  const rows = await query<{ agent: string; request: string }>(
    `SELECT agent_id AS agent, request_id AS request FROM mirror_message
     WHERE origin_id = $1 AND request_id = ANY ($2::uuid[])
       AND key_seq IS NOT NULL`,
    [originId, requests],
  );
  return new Set(rows.map(({ agent, request }) => requestOf(agent, request)));
}

/** Of a thread. */
export type Counters = { replies: number; lastReply: number };

const json = (value: unknown) =>
  value === null ? null : JSON.stringify(value);

export async function insertPosts(
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
    of(({ content }) => json(content?.poll ?? null)),
    of(({ content }) => content?.salt ?? null),
    of(({ content }) => refsText(content?.body ?? '')),
    of(({ at }) => at),
    of(({ request }) => request),
    Buffer.concat(of(({ hash }) => hash)),
    of(({ index }) => index),
    of(({ via }) => via),
    of(({ vote }) => vote),
    of(({ voteResult }) => voteResult),
    // `storeStates` removes, as it knows by what.
    of(({ state: { status } }) => (status === 'removed' ? 'bare' : status)),
    of(({ fault }) => fault),
    Buffer.concat(of(({ contentHash }) => contentHash)),
    of(({ pollId }) => pollId),
    of(({ id }) => counters.get(id)?.replies ?? 0),
    of(({ id }) => counters.get(id)?.lastReply ?? null),
  ]);
}

/** Text, as arrays of arrays need equal lengths. */
function refsText(body: string): string | null {
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
    request_id, ${hashAt('$17')}, log_index, via, vote, vote_result,
    CASE WHEN agent_id IS NULL THEN 'guest' ELSE 'signed' END, status, fault,
    ${hashAt('$24')}, CASE WHEN status = 'missing' THEN $2::bigint END, poll_id,
    replies, last_reply, coalesce(last_reply, id)
  FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::text[],
    $7::text[], $8::text[], $9::integer[], $10::text[], $11::text[],
    $12::text[], $13::bytea[], $14::text[], $15::bigint[], $16::uuid[],
    $18::bigint[], $19::text[], $20::smallint[], $21::text[],
    $22::text[], $23::text[], $25::bigint[], $26::integer[],
    $27::bigint[]) WITH ORDINALITY
    AS p (id, root_id, reply_to, room, author, agent_id, key_seq, title, body,
      poll, salt, refs, created_at, request_id, log_index, via,
      vote, vote_result, status, fault, poll_id, replies, last_reply, nth)`;

/** For roots of earlier pages; returns how many exist. */
export async function addReplies(
  tx: Tx,
  originId: number,
  counters: readonly (readonly [root: number, Counters])[],
): Promise<number> {
  const found = await tx.query(
    `UPDATE mirror_message m SET reply_count = m.reply_count + c.replies,
       last_reply_id = c.last, last_activity_id = c.last
     FROM unnest($2::bigint[], $3::integer[], $4::bigint[])
       AS c (root_id, replies, last)
     WHERE m.origin_id = $1 AND m.id = c.root_id RETURNING 1`,
    [
      originId,
      counters.map(([root]) => root),
      counters.map(([, { replies }]) => replies),
      counters.map(([, { lastReply }]) => lastReply),
    ],
  );
  return found.length;
}

/** A text goes unless its status is `ok`. */
export async function storeStates(
  tx: Tx,
  originId: number,
  posts: readonly KnownPost[],
  now: number,
): Promise<void> {
  const states = posts.map(({ state }) => state);
  await tx.query(
    `UPDATE mirror_message m SET status = s.status,
       visibility = s.visibility, erased = s.erased, removal = s.removal,
       removal_by = s.removal_by, removal_at = s.removal_at,
       removal_explain = s.removal_explain, removal_index = s.removal_index,
       poll_close = s.poll_close::jsonb,
       poll_decision = s.poll_decision::jsonb,
       author = CASE WHEN s.status = 'ok' THEN m.author END,
       title = CASE WHEN s.status = 'ok' THEN m.title END,
       body = CASE WHEN s.status = 'ok' THEN m.body END,
       poll = CASE WHEN s.status = 'ok' THEN m.poll END,
       salt = CASE WHEN s.status = 'ok' THEN m.salt END,
       refs = CASE WHEN s.status = 'ok' THEN m.refs END,
       fetch_tries = 0,
       fetch_at = CASE WHEN s.status = 'missing' THEN $13::bigint END
     FROM unnest($2::bigint[], $3::text[], $4::text[], $5::boolean[],
       $6::text[], $7::text[], $8::bigint[], $9::bytea[], $10::bigint[],
       $11::text[], $12::text[])
       AS s (id, status, visibility, erased, removal, removal_by, removal_at,
         removal_explain, removal_index, poll_close, poll_decision)
     WHERE m.origin_id = $1 AND m.id = s.id`,
    [
      originId,
      posts.map(({ id }) => id),
      states.map(({ status }) => status),
      states.map(({ visibility }) => visibility),
      states.map(({ erased }) => erased),
      states.map(({ removal }) => removal?.reason ?? null),
      states.map(({ removal }) => removal?.by ?? null),
      states.map(({ removal }) => removal?.at ?? null),
      states.map(({ removal }) => removal?.explain ?? null),
      states.map(({ removal }) => removal?.index ?? null),
      states.map(({ pollClose }) => json(pollClose)),
      states.map(({ pollDecision }) => json(pollDecision)),
      now,
    ],
  );
}

/** In all logs of their board. */
export async function recountThreads(
  tx: Tx,
  logs: readonly number[],
  roots: readonly number[],
): Promise<void> {
  await tx.query(
    `UPDATE mirror_message r SET reply_count = t.replies,
       last_reply_id = t.last, last_activity_id = coalesce(t.last, r.id)
     FROM (SELECT root.id, count(DISTINCT m.id) AS replies, max(m.id) AS last
       FROM unnest($2::bigint[]) AS root (id)
       LEFT JOIN mirror_message m ON m.origin_id = ANY($1::int[])
         AND m.root_id = root.id AND m.id <> root.id
         AND m.status NOT IN ('removed', 'invalid')
       GROUP BY root.id) t
     WHERE r.origin_id = ANY($1::int[]) AND r.id = t.id`,
    [logs, roots],
  );
}

/** With former generations; $1 is the pulled log. */
const LOGS = `FROM log_state own JOIN log_state l ON l.board = own.board
    AND l.closed_at IS NULL AND l.origin_id > 0`;

/** Former generations included; in ms, or null. */
export async function nextContentAt(
  sql: Sql,
  originId: number,
): Promise<number | null> {
  const [row] = await sql.query<{ at: number | null }>(
    `SELECT min(m.at) AS at ${LOGS}
       CROSS JOIN LATERAL (SELECT min(fetch_at) AS at FROM mirror_message
         WHERE origin_id = l.origin_id AND status = 'missing') m
     WHERE own.origin_id = $1`,
    [originId],
  );
  return row?.at ?? null;
}

/** Former generations included. */
export type MissingContent = Pick<
  MirrorMessage,
  | 'originId'
  | 'id'
  | 'logIndex'
  | 'contentHash'
  | 'replyTo'
  | 'pollId'
  | 'fetchTries'
> & { origin: string };

/** Oldest first. */
export async function dueContents(
  sql: Sql,
  originId: number,
  now: number,
  limit: number,
): Promise<MissingContent[]> {
  return await sql.query<MissingContent>(
    `SELECT l.origin_id AS "originId", l.origin, m.id,
       m.log_index AS "logIndex", m.content_hash AS "contentHash",
       m.reply_to AS "replyTo", m.poll_id AS "pollId",
       m.fetch_tries AS "fetchTries" ${LOGS}
       CROSS JOIN LATERAL (SELECT id, log_index, content_hash, reply_to,
           poll_id, fetch_tries, fetch_at
         FROM mirror_message WHERE origin_id = l.origin_id
           AND status = 'missing' AND fetch_at <= $2
         ORDER BY fetch_at, id LIMIT $3) m
     WHERE own.origin_id = $1
     ORDER BY m.fetch_at, l.origin_id, m.id LIMIT $3`,
    [originId, now, limit],
  );
}
