import type { Tx } from '../../../server/db/sql.js';
import { logsOfBoard } from '../verify/former-logs.js';
import type { JudgedDecision, NewPost } from '../verify/judged.js';
import type { KnownPost } from '../verify/message-state.js';
import { bytea } from './store-log.js';

const json = (value: unknown) =>
  value === null ? null : JSON.stringify(value);

/**
 * Writes what a page's later entries changed: the state that its own posts
 * ended in beyond their status, and that of earlier ones. A text goes the
 * moment its status is not `ok`, with everything derived from it; threads
 * that lost or regained a reply are counted again. What stands in the log of a
 * former generation is changed there.
 */
export async function storeChanges(
  tx: Tx,
  originId: number,
  posts: readonly NewPost[],
  changed: ReadonlyMap<number, KnownPost>,
  now: number,
): Promise<void> {
  const decided = posts.filter(({ state }) => isDecided(state));
  const logs = new Map<number, KnownPost[]>([[originId, []]]);
  for (const post of changed.values()) {
    const log = post.originId ?? originId;
    logs.set(log, [...(logs.get(log) ?? []), post]);
  }
  for (const [log, earlier] of logs) {
    const fresh = log === originId ? decided : [];
    await storeStates(tx, log, fresh, earlier, now);
  }
}

async function storeStates(
  tx: Tx,
  originId: number,
  decided: readonly NewPost[],
  earlier: readonly KnownPost[],
  now: number,
): Promise<void> {
  const all: KnownPost[] = [...decided, ...earlier];
  if (all.length === 0) return;
  const states = all.map(({ state }) => state);
  await tx.query(STORE_STATES, [
    originId,
    all.map(({ id }) => id),
    states.map(({ status }) => status),
    states.map(({ visibility }) => visibility),
    states.map(({ erased }) => erased),
    states.map(({ removal }) => removal?.reason ?? null),
    states.map(({ removal }) => removal?.by ?? null),
    states.map(({ removal }) => removal?.at ?? null),
    states.map(({ removal }) => bytea(removal?.explain ?? null)),
    states.map(({ removal }) => removal?.index ?? null),
    states.map(({ pollClose }) => json(pollClose)),
    states.map(({ pollDecision }) => json(pollDecision)),
    now,
  ]);
  const gone = earlier.filter(({ state }) => state.status !== 'ok');
  if (gone.length === 0) return;
  await tx.query(
    `DELETE FROM mirror_search
     WHERE origin_id = $1 AND message_id = ANY($2::bigint[])`,
    [originId, gone.map(({ id }) => id)],
  );
  await recountThreads(tx, originId, [
    ...new Set(gone.map(({ rootId }) => rootId)),
  ]);
}

function isDecided(state: KnownPost['state']): boolean {
  return (
    state.removal !== null ||
    state.visibility !== 'visible' ||
    state.pollClose !== null ||
    state.pollDecision !== null
  );
}

const STORE_STATES = `UPDATE mirror_message m SET status = s.status,
    visibility = s.visibility, erased = s.erased, removal = s.removal,
    removal_by = s.removal_by, removal_at = s.removal_at,
    removal_explain = s.removal_explain, removal_index = s.removal_index,
    poll_close = s.poll_close::jsonb, poll_decision = s.poll_decision::jsonb,
    author = CASE WHEN s.status = 'ok' THEN m.author END,
    title = CASE WHEN s.status = 'ok' THEN m.title END,
    body = CASE WHEN s.status = 'ok' THEN m.body END,
    poll = CASE WHEN s.status = 'ok' THEN m.poll END,
    salt = CASE WHEN s.status = 'ok' THEN m.salt END,
    refs = CASE WHEN s.status = 'ok' THEN m.refs END,
    fetch_tries = 0,
    fetch_at = CASE WHEN s.status = 'missing' THEN $13::bigint END
  FROM unnest($2::bigint[], $3::text[], $4::text[], $5::boolean[], $6::text[],
    $7::text[], $8::bigint[], $9::bytea[], $10::bigint[], $11::text[],
    $12::text[])
    AS s (id, status, visibility, erased, removal, removal_by, removal_at,
      removal_explain, removal_index, poll_close, poll_decision)
  WHERE m.origin_id = $1 AND m.id = s.id`;

/** Replies and their topic may stand in the logs of two generations. */
async function recountThreads(
  tx: Tx,
  originId: number,
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
    [await logsOfBoard(tx, originId), roots],
  );
}

/** `remove` and `decision` entries as the log has them. */
export async function storeDecisions(
  tx: Tx,
  originId: number,
  decisions: readonly JudgedDecision[],
  now: number,
): Promise<void> {
  if (decisions.length === 0) return;
  const entries = decisions.map(({ entry }) => entry);
  await tx.query(
    `INSERT INTO mirror_decision (origin_id, idx, message_id, target, action,
       made_by, reason, explain, at, received_at, applied)
     SELECT $1, d.*, $10::bigint, true FROM unnest($2::bigint[], $3::bigint[],
       $4::bytea[], $5::text[], $6::text[], $7::text[], $8::bytea[],
       $9::bigint[]) AS d`,
    [
      originId,
      decisions.map(({ index }) => index),
      entries.map(({ id }) => id),
      entries.map(({ target }) => bytea(target)),
      entries.map((entry) =>
        entry.type === 'remove' ? 'remove' : entry.action,
      ),
      entries.map((entry) => (entry.type === 'remove' ? entry.by : null)),
      entries.map((entry) => (entry.type === 'remove' ? entry.reason : null)),
      entries.map(({ explain }) => bytea(explain)),
      entries.map(({ at }) => at),
      now,
    ],
  );
}
