import type { Room } from '../../protocol/room.js';
import type { Sql } from '../db/sql.js';
import type { StoredDecision } from '../polls/poll-row.js';
import {
  DECISION_COLUMNS,
  type DecisionAction,
  type DecisionRow,
  type PublicDecision,
} from './record-decision.js';

/** One decision of the public log, times in ms (spec/board.md §2.19). */
export type LoggedDecision = DecisionRow & {
  message_id: number;
  room: Room;
  poll_id: number | null;
  outcome: StoredDecision['outcome'] | null;
};

export type DecisionQuery = {
  /** Exclusive upper ID; null: from the newest. */
  before: number | null;
  limit: number;
  action?: DecisionAction | undefined;
  reason?: PublicDecision['reason'] | undefined;
  room?: Room | undefined;
  /** Only those about this message. */
  message?: number | null;
};

const STATEMENT = `SELECT ${DECISION_COLUMNS}, d.message_id, m.room, d.poll_id,
    d.outcome
  FROM decision d JOIN message m ON m.id = d.message_id
  WHERE ($1::bigint IS NULL OR d.id < $1)
    AND ($3::text IS NULL OR d.action = $3)
    AND ($4::text IS NULL OR d.reason = $4)
    AND ($5::text IS NULL OR m.room = $5)
    AND ($6::bigint IS NULL OR d.message_id = $6)
  ORDER BY d.id DESC LIMIT $2`;

/** The decisions of the operators, newest first. */
export function decisionLog(
  sql: Sql,
  query: DecisionQuery,
): Promise<LoggedDecision[]> {
  return sql.query<LoggedDecision>(STATEMENT, [
    query.before,
    query.limit,
    query.action ?? null,
    query.reason ?? null,
    query.room ?? null,
    query.message ?? null,
  ]);
}

/** A removed message and the decision that removed it, if one is recorded. */
export type Removal = { message_id: number } & Pick<
  DecisionRow,
  'reason' | 'explanation' | 'operator' | 'decided_at'
>;

const REMOVALS = `SELECT m.id AS message_id, d.reason, d.explanation,
    d.operator, d.decided_at
  FROM message m JOIN decision d ON d.id = m.removed_by
  WHERE m.id = ANY($1::bigint[])`;

/** Why those of the messages that are removed were. */
export async function removalsOf(
  sql: Sql,
  ids: readonly number[],
): Promise<Map<number, Removal>> {
  const rows =
    ids.length === 0 ? [] : await sql.query<Removal>(REMOVALS, [ids]);
  return new Map(rows.map((row) => [row.message_id, row]));
}
