import type { KeyState } from '../agents/key-state.js';
import { type BudgetCheck, checkColumns, windowEnd } from '../budgets.js';
import type { Tx } from '../db/sql.js';
import type { Limits } from '../limits.js';
import { lockScope } from '../tickets/answer-lock.js';
import type { StoredReceipt, WriteTicket } from './find-ticket.js';

export type PublishFacts = {
  accepted: StoredReceipt | null;
  lockedUntil: number;
  target: { removed: boolean; voteSecret: Buffer } | null;
  /** The state of the signing agent's key; null for a guest. */
  key: Pick<KeyState, 'status' | 'seq'> | null;
  /** One entry per check: the spend that blocks it, or null. */
  blocked: (number | null)[];
};

type Row = {
  content_hash: Buffer | null;
  receipt: string;
  locked_until: number | null;
  target_id: number | null;
  removed_at: number | null;
  vote_secret: Buffer;
  key_status: KeyState['status'] | null;
  key_seq: number;
  blocked: (number | null)[];
};

/** Everything that must be read under the head lock, in one statement. */
export async function publishFacts(
  tx: Tx,
  ticket: WriteTicket,
  checks: readonly BudgetCheck[],
  limits: Limits,
  now: number,
): Promise<PublishFacts> {
  const [row] = await tx.query<Row>(
    `SELECT w.content_hash, w.receipt, l.locked_until,
       t.id AS target_id, t.removed_at, t.vote_secret,
       a.status AS key_status, a.key_seq,
       ARRAY(SELECT budget_blocked_by(c.scope, c.today, c.old, c.bound,
               c.since, $9)
             FROM unnest($4::text[], $5::bytea[], $6::bytea[], $7::bigint[],
               $8::bigint[]) WITH ORDINALITY
               AS c (scope, today, old, bound, since, at)
             ORDER BY c.at) AS blocked
     FROM (SELECT 1) AS one
     LEFT JOIN write_request w ON w.request_id = $1
     LEFT JOIN challenge_lock l ON l.scope = $2
     LEFT JOIN message t ON t.id = $3
     LEFT JOIN agent_key a ON a.origin_id = 0 AND a.agent_id = $10`,
    [
      ticket.requestId,
      lockScope({ requestId: ticket.requestId }),
      ticket.draft.replyTo,
      ...checkColumns(checks, limits, now),
      windowEnd(now),
      ticket.draft.submitted.agentId,
    ],
  );
  if (row === undefined) throw new Error('a one-row statement gave none');
  return {
    accepted:
      row.content_hash === null
        ? null
        : { contentHash: row.content_hash, receipt: row.receipt },
    lockedUntil: row.locked_until ?? 0,
    target:
      row.target_id === null
        ? null
        : { removed: row.removed_at !== null, voteSecret: row.vote_secret },
    key:
      row.key_status === null
        ? null
        : { status: row.key_status, seq: row.key_seq },
    blocked: row.blocked,
  };
}
