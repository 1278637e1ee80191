// By hand: SKIP LOCKED for several processes, and refunds in the statement that
// ends a post.
import type { ContentJson } from '../../protocol/content-json.js';
import { RelayOutbox } from '../../server/db/entities/relay-outbox.js';
import type { Sql, Tx } from '../../server/db/sql.js';
import type { RelayReceipt } from '../../server/tickets/index.js';

export type ErrorBody = { error: string; detail: string } & Record<
  string,
  unknown
>;

/** Parsed; times in ms. */
export type OutboxRow = Omit<RelayOutbox, 'state' | 'content'> &
  (
    | { state: 'pending'; content: ContentJson }
    | { state: 'published'; receipt: RelayReceipt }
    | { state: 'failed'; error: ErrorBody }
  );

export type PendingRow = Extract<OutboxRow, { state: 'pending' }>;

export async function findOutboxRow(
  { manager }: Sql,
  requestId: string,
): Promise<OutboxRow | null> {
  const row = await manager.findOneBy(RelayOutbox, { requestId });
  if (row === null) return null;
  const { state, content, ...kept } = row;
  if (state === 'pending') {
    const parsed = JSON.parse(content ?? '') as ContentJson;
    return { ...kept, state, content: parsed };
  }
  const outcome: unknown = JSON.parse(row.answer ?? '');
  return state === 'published'
    ? { ...kept, state, receipt: outcome as RelayReceipt }
    : { ...kept, state, error: outcome as ErrorBody };
}

type NewRow = Omit<RelayOutbox, 'state' | 'updatedAt' | 'tries' | 'answer'>;

export async function storePending(tx: Tx, row: NewRow): Promise<void> {
  const pending = { state: 'pending', tries: 0, answer: null } as const;
  await tx.manager.upsert(
    RelayOutbox,
    { ...row, ...pending, updatedAt: row.spentAt },
    ['requestId'],
  );
}

/** False: not pending. The text is deleted (spec/mesh.md §B4). */
export async function storePublished(
  sql: Sql,
  requestId: string,
  receipt: RelayReceipt,
  now: number,
): Promise<boolean> {
  const { affected } = await sql.manager.update(
    RelayOutbox,
    { requestId, state: 'pending' },
    {
      state: 'published',
      answer: JSON.stringify(receipt),
      content: null,
      // Finished posts name no network.
      tag: Buffer.alloc(16),
      tagNext: Buffer.alloc(16),
      spentScopes: [],
      spentKeys: [],
      updatedAt: now,
    },
  );
  return affected !== 0;
}

/** Refunds: only a publication spends writes (spec/board.md §5.7). */
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
  await sql.manager.update(
    RelayOutbox,
    { requestId, state: 'pending' },
    { tries: () => 'tries + 1', nextAt, updatedAt: now },
  );
}

/** Due, or the board has answered since the last try. Held until `until`. */
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
