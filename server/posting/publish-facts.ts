import { type BudgetCheck, checkColumns, windowEnd } from '../db/budgets.js';
import type { Tx } from '../db/sql.js';
import type { KeyState } from '../ledger/key-state.js';
import type { Limits } from '../limits.js';
import { lockScope } from '../tickets/answer-lock.js';
import type { StoredReceipt, WriteTicket } from './find-ticket.js';

/** What one publication has to know of the board under the head lock. */
export type PublishQuestion = {
  ticket: WriteTicket;
  checks: (now: number) => BudgetCheck[];
  limits: Limits;
};

/** How one limit stands. */
export type Standing = {
  /** The spend that blocks it, or null. */
  blocked: number | null;
  /** Spends that surely fit; too few say nothing. */
  room: number;
};

export type PublishFacts = {
  accepted: StoredReceipt | null;
  lockedUntil: number;
  target: { removed: boolean; voteSecret: Buffer } | null;
  /** The state of the signing agent's key; null for a guest. */
  key: Pick<KeyState, 'status' | 'seq'> | null;
  /** One entry per check. */
  standings: Standing[];
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
  room: number[];
};

/**
 * Everything that must be read under the head lock, for all publications of a
 * batch, in one statement: what each asks of its own, and how the limits
 * stand, most of which they share.
 */
export async function publishFacts(
  tx: Tx,
  questions: readonly PublishQuestion[],
  now: number,
): Promise<PublishFacts[]> {
  const [limits] = questions.map((question) => question.limits);
  if (limits === undefined) return [];
  const asked = questions.map((question) => question.checks(now).map(named));
  const distinct = new Map(asked.flat());
  const checks = [...distinct.values()];
  const rows = await readRows(
    tx,
    questions.map(({ ticket }) => ticket),
    [...checkColumns(checks, limits, now), windowEnd(now)],
  );
  const places = new Map([...distinct.keys()].map((name, at) => [name, at]));
  return rows.map((row, at) => {
    const standings = (asked[at] ?? []).map(([name]) => {
      const place = places.get(name) ?? -1;
      return {
        blocked: row.blocked[place] ?? null,
        room: row.room[place] ?? 0,
      };
    });
    return factsOf(row, standings);
  });
}

/** A check under the name that those of equal meaning share. */
function named(check: BudgetCheck): [string, BudgetCheck] {
  const { today, yesterday } = check.key;
  const key = Buffer.concat([today, yesterday]).toString('latin1');
  return [`${check.limit} ${key}`, check];
}

function readRows(
  tx: Tx,
  tickets: readonly WriteTicket[],
  checks: readonly unknown[],
): Promise<Row[]> {
  // Side by side, each by its key: no plan may come to read a whole table.
  return tx.query<Row>(
    `SELECT w.*, l.*, t.*, a.*, s.*
     FROM unnest($7::uuid[], $8::bytea[], $9::bigint[], $10::text[])
       WITH ORDINALITY AS q (request_id, scope, target, agent, ord)
     CROSS JOIN (
       SELECT array_agg(budget_blocked_by(c.scope, c.today, c.old, c.bound,
           c.since, $6) ORDER BY c.ord) AS blocked,
         array_agg(c.bound - coalesce((SELECT sum(h.total)::bigint
           FROM budget_head h WHERE h.scope = c.scope
             AND (h.key = c.today OR h.key = c.old)), 0) ORDER BY c.ord) AS room
       FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bigint[],
         $5::bigint[]) WITH ORDINALITY
         AS c (scope, today, old, bound, since, ord)
       OFFSET 0) s
     LEFT JOIN LATERAL (SELECT content_hash, receipt FROM write_request
       WHERE request_id = q.request_id OFFSET 0) w ON true
     LEFT JOIN LATERAL (SELECT locked_until FROM challenge_lock
       WHERE scope = q.scope OFFSET 0) l ON true
     LEFT JOIN LATERAL (SELECT id AS target_id, removed_at, vote_secret
       FROM message WHERE id = q.target OFFSET 0) t ON true
     LEFT JOIN LATERAL (SELECT status AS key_status, key_seq FROM agent_key
       WHERE origin_id = 0 AND agent_id = q.agent OFFSET 0) a ON true
     ORDER BY q.ord`,
    [
      ...checks,
      tickets.map(({ requestId }) => requestId),
      tickets.map(({ requestId }) => lockScope({ requestId })),
      tickets.map(({ draft }) => draft.replyTo),
      tickets.map(({ draft }) => draft.submitted.agentId),
    ],
  );
}

function factsOf(row: Row, standings: Standing[]): PublishFacts {
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
    standings,
  };
}
