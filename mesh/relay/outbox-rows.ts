import type { ContentJson } from '../../protocol/content-json.js';
import type { Spend } from '../../server/db/budgets.js';
import type { Sql, Tx } from '../../server/db/sql.js';
import type { RelayReceipt } from '../../server/http/openapi/relay.js';
import type { ForeignPost } from '../mesh-ports.js';

/** The body of an error, as it was answered or would have been. */
export type ErrorBody = { error: string; detail: string } & Record<
  string,
  unknown
>;

type Kept = {
  requestId: string;
  board: string;
  agentId: string;
  contentHash: Buffer;
  messageHash: Buffer;
  /** The agent's note of the statement. */
  note: string;
  updatedAt: number;
};

/** A row of `relay_outbox`; times in ms. */
export type OutboxRow = Kept &
  (
    | {
        state: 'pending';
        content: ContentJson;
        tags: NetworkTags;
        datedAt: number;
        tries: number;
      }
    | { state: 'published'; receipt: RelayReceipt }
    | { state: 'failed'; error: ErrorBody }
  );

export type PendingRow = Extract<OutboxRow, { state: 'pending' }>;

/** The network's tag on the day it posted, and on the day after (B10). */
export type NetworkTags = { day: string; today: Buffer; tomorrow: Buffer };

type Row = {
  request_id: string;
  board: string;
  agent_id: string;
  content_hash: Buffer;
  state: OutboxRow['state'];
  message_hash: Buffer;
  note: string;
  content: string | null;
  day: string;
  tag: Buffer;
  tag_next: Buffer;
  dated_at: number;
  updated_at: number;
  tries: number;
  answer: string | null;
};

const COLUMNS = `request_id, board, agent_id, content_hash, state,
  message_hash, note, content, day, tag, tag_next, dated_at, updated_at, tries,
  answer`;

export async function findOutboxRow(
  sql: Sql,
  requestId: string,
): Promise<OutboxRow | null> {
  const [row] = await sql.query<Row>(
    `SELECT ${COLUMNS} FROM relay_outbox WHERE request_id = $1`,
    [requestId],
  );
  return row === undefined ? null : rowOf(row);
}

function rowOf(row: Row): OutboxRow {
  const kept: Kept = {
    requestId: row.request_id,
    board: row.board,
    agentId: row.agent_id,
    contentHash: row.content_hash,
    messageHash: row.message_hash,
    note: row.note,
    updatedAt: row.updated_at,
  };
  const { state } = row;
  if (state === 'pending') {
    const tags = { day: row.day, today: row.tag, tomorrow: row.tag_next };
    const content = JSON.parse(row.content ?? '') as ContentJson;
    const { dated_at: datedAt, tries } = row;
    return { ...kept, state, content, tags, datedAt, tries };
  }
  const answer: unknown = JSON.parse(row.answer ?? '');
  return state === 'published'
    ? { ...kept, state, receipt: answer as RelayReceipt }
    : { ...kept, state, error: answer as ErrorBody };
}

export type NewRow = {
  post: ForeignPost;
  content: ContentJson;
  tags: NetworkTags;
  spends: readonly Spend[];
  /** Of the spends, to take them back should the post be refused. */
  now: number;
  /** When the outbox may first try it by itself. */
  nextAt: number;
};

/** Stores a post; one that failed before makes room for the new try. */
export async function storePending(tx: Tx, row: NewRow): Promise<void> {
  const { post, content, tags, spends, now, nextAt } = row;
  await tx.query(
    `INSERT INTO relay_outbox (request_id, board, agent_id, content_hash,
       state, message_hash, note, content, day, tag, tag_next, spent_scopes,
       spent_keys, spent_at, dated_at, updated_at, next_at)
     VALUES ($1, $2, $3, $4, 'pending', $5, $6, $7, $8, $9, $10, $11, $12,
       $13, $14, $13, $15)
     ON CONFLICT (request_id) DO UPDATE SET board = excluded.board,
       agent_id = excluded.agent_id, content_hash = excluded.content_hash,
       state = excluded.state, message_hash = excluded.message_hash,
       note = excluded.note, content = excluded.content, day = excluded.day,
       tag = excluded.tag, tag_next = excluded.tag_next,
       spent_scopes = excluded.spent_scopes, spent_keys = excluded.spent_keys,
       spent_at = excluded.spent_at, dated_at = excluded.dated_at,
       updated_at = excluded.updated_at, tries = 0,
       next_at = excluded.next_at, answer = NULL`,
    [
      post.requestId,
      post.board,
      post.agentId,
      post.contentHash,
      post.messageHash,
      post.note,
      JSON.stringify(content),
      tags.day,
      tags.today,
      tags.tomorrow,
      spends.map(({ scope }) => scope),
      spends.map(({ key }) => key),
      now,
      post.datedAt,
      nextAt,
    ],
  );
}

/** Whether it was still pending; the text goes with it (spec/mesh.md §B4). */
export async function storePublished(
  sql: Sql,
  requestId: string,
  receipt: RelayReceipt,
  now: number,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE relay_outbox SET state = 'published', answer = $2, content = NULL,
       updated_at = $3
     WHERE request_id = $1 AND state = 'pending' RETURNING 1 AS done`,
    [requestId, JSON.stringify(receipt), now],
  );
  return rows.length > 0;
}

/**
 * Ends a pending post with an error, and gives back what it spent: only a
 * publication spends writes (spec/board.md §5.7). One statement.
 */
export async function storeFailed(
  sql: Sql,
  requestId: string,
  error: ErrorBody,
  now: number,
): Promise<void> {
  await sql.query(
    `WITH failed AS (
       UPDATE relay_outbox SET state = 'failed', answer = $2, content = NULL,
         updated_at = $3
       WHERE request_id = $1 AND state = 'pending'
       RETURNING spent_scopes, spent_keys, spent_at
     )
     DELETE FROM budget_spend WHERE ctid = ANY (ARRAY(
       SELECT (SELECT b.ctid FROM budget_spend b WHERE b.scope = s.scope
           AND b.key = s.key AND b.at = f.spent_at LIMIT 1)
       FROM failed f, unnest(f.spent_scopes, f.spent_keys) AS s (scope, key)))`,
    [requestId, JSON.stringify(error), now],
  );
}

export async function storeWaiting(
  sql: Sql,
  requestId: string,
  nextAt: number,
  now: number,
): Promise<void> {
  await sql.query(
    `UPDATE relay_outbox SET tries = tries + 1, next_at = $2, updated_at = $3
     WHERE request_id = $1 AND state = 'pending'`,
    [requestId, nextAt, now],
  );
}

/**
 * Takes posts that are due, or whose board was heard of since their last try,
 * out of other processes' hands until `until`.
 */
export async function takeDue(
  sql: Sql,
  now: number,
  until: number,
  limit: number,
): Promise<string[]> {
  const rows = await sql.query<{ request_id: string }>(
    `UPDATE relay_outbox SET next_at = $2
     WHERE state = 'pending' AND request_id IN (
       SELECT r.request_id FROM relay_outbox r
       LEFT JOIN peer p ON p.name = r.board
       WHERE r.state = 'pending' AND (r.next_at <= $1
         OR (r.tries > 0 AND p.last_success_at > r.updated_at
           AND r.updated_at <= $1 - 2000 AND r.next_at > $2))
       ORDER BY r.next_at LIMIT $3 FOR UPDATE OF r SKIP LOCKED)
     RETURNING request_id`,
    [now, until, limit],
  );
  return rows.map((row) => row.request_id);
}
