import { utf8 } from '../../protocol/bytes.js';
import type {
  DecisionAction as LoggedAction,
  RemoveBy,
  RemoveReason,
} from '../../protocol/entry.js';
import { sha256 } from '../../protocol/hash.js';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
  type ModerationAction,
  type ModerationReason,
  type PollOutcome,
} from '../../protocol/moderation.js';
import { publicTime } from '../clock.js';
import { nextId } from '../db/next-id.js';
import type { Tx } from '../db/sql.js';
import { BoardError } from '../errors.js';
import type { Turn } from '../ledger/append-context.js';

export const DECISION_ACTIONS = MODERATION_ACTIONS;
export type DecisionAction = ModerationAction;
export const DECISION_REASONS = MODERATION_REASONS;

/** What every decision says of itself (spec/operators.md §2.1). */
export type Ruling = {
  /** The message it is about. */
  id: number;
  by?: RemoveBy;
  reason: ModerationReason;
  /** 1..2000 code points, public. */
  explanation: string;
  /** The public alias, 1..48 code points. */
  operator: string;
  /** At most 2000 code points; never public. */
  privateNote?: string;
  /** The decision that this one undoes. */
  supersedes?: number;
  /** Reports that it settles, by their `request_id`. */
  reportIds?: readonly string[];
};

/** A removal is never for disagreement (spec/board.md §2.20). */
export type RemovalRuling = Ruling & { reason: RemoveReason };

/** A decision as every public read shows it (spec/board.md §2.19). */
export type PublicDecision = {
  id: number;
  action: DecisionAction;
  reason: ModerationReason;
  explanation: string;
  decided_at: string;
  operator: string;
  supersedes: number | null;
  log_index: number;
};

export type DecisionRow = Omit<PublicDecision, 'decided_at'> & {
  decided_at: number;
};

export const DECISION_COLUMNS = `d.id, d.action, d.reason, d.explanation,
  d.decided_at, d.operator, d.supersedes, d.log_index`;

export function publicDecision(row: DecisionRow): PublicDecision {
  return {
    id: row.id,
    action: row.action,
    reason: row.reason,
    explanation: row.explanation,
    decided_at: publicTime(row.decided_at),
    operator: row.operator,
    supersedes: row.supersedes,
    log_index: row.log_index,
  };
}

/** The state of a message that a decision is about. */
export type Subject = {
  id: number;
  root_id: number;
  message_hash: Buffer;
  removed_by: number | null;
  erased_by: number | null;
  visibility: string;
  visibility_by: number | null;
};

/**
 * Reads a decision's subject. No row lock is needed: only decisions change
 * these columns, save that a vote may still hide a visible topic, and
 * decisions stand in line at the head lock.
 */
export async function subjectOf(tx: Tx, id: number): Promise<Subject | null> {
  const [row] = await tx.query<Subject>(
    `SELECT id, root_id, message_hash, removed_by, erased_by, visibility,
       visibility_by FROM message WHERE id = $1`,
    [id],
  );
  return row ?? null;
}

/** `explain` of a log entry: SHA-256 of the explanation's UTF-8 bytes. */
export function explanationHash(explanation: string): Uint8Array {
  return sha256(utf8(explanation));
}

/** The poll that a decision is about, and what it says. */
export type PollRuling = { pollId: number; outcome: PollOutcome };

const LOGGED: Readonly<
  Record<Exclude<DecisionAction, 'remove' | 'poll_decision'>, LoggedAction>
> = {
  reinstate: 'reinstate',
  restore_visibility: 'restore',
  hide: 'hide',
  keep: 'keep',
  erase: 'erase',
};

/**
 * Appends a decision's log entry (spec/mesh.md §B4) and writes its row. `as` is
 * the type of the entry: what takes text out of sight is logged as `remove`. A
 * `poll_decision` names its poll and is logged by its outcome.
 */
export async function recordDecision(
  turn: Turn,
  action: DecisionAction,
  { message_hash: target }: Pick<Subject, 'message_hash'>,
  ruling: Ruling,
  as: 'remove' | 'decision',
  poll?: PollRuling,
): Promise<DecisionRow> {
  const { id, by = 'operator', reason, explanation, operator } = ruling;
  const explain = explanationHash(explanation);
  const at = turn.at;
  const about = { messageId: id, messageHash: target };
  const logIndex =
    as === 'remove' && reason !== 'disagreement'
      ? turn.append(
          { type: 'remove', at, id, target, by, reason, explain },
          about,
        )
      : turn.append(
          {
            type: 'decision',
            at,
            id,
            target,
            action: logged(action, poll),
            explain,
          },
          about,
        );
  const [row] = await turn.tx.query<DecisionRow>(
    `WITH settled AS (
       UPDATE report SET status = 'resolved', status_at = $8, decision_id = $1
       WHERE request_id = ANY($11::uuid[])
         AND (message_id = $2 OR card_id IS NOT NULL)
     )
     INSERT INTO decision AS d (id, message_id, action, effect, reason,
       explanation, made_by, decided_at, operator, supersedes, log_index,
       private_note, poll_id, outcome, generation)
     VALUES ($1, $2, $3, CASE $3 WHEN 'remove' THEN 'removed'
         WHEN 'erase' THEN 'removed' WHEN 'hide' THEN 'hidden_by_decision'
         WHEN 'restore_visibility' THEN 'restored_by_decision' END,
       $4, $5, $6, $8, $7, $9, $10, $12, $13, $14,
       (SELECT generation FROM log_state WHERE origin_id = 0))
     RETURNING ${DECISION_COLUMNS}`,
    [
      await nextId(turn.tx, 'decision'),
      id,
      action,
      reason,
      explanation,
      by,
      operator,
      at,
      ruling.supersedes ?? null,
      logIndex,
      ruling.reportIds ?? [],
      ruling.privateNote ?? null,
      poll?.pollId ?? null,
      poll?.outcome ?? null,
    ],
  );
  if (row === undefined) throw new Error('a decision was not written');
  return row;
}

function logged(action: DecisionAction, poll?: PollRuling): LoggedAction {
  if (action === 'poll_decision') {
    if (poll === undefined) throw new Error('a poll decision names its poll');
    return `poll-${poll.outcome}`;
  }
  if (action !== 'remove') return LOGGED[action];
  throw new Error('a removal is logged as one');
}

/** A refusal as a ledger job gives it: a function that throws. */
export function refuse(error: BoardError): () => never {
  return () => {
    throw error;
  };
}

export function unknownSubject(id: number): BoardError {
  return new BoardError(
    'message_not_found',
    `This board has never issued the message ID ${id}.`,
  );
}

/** The subject is not, or no longer, in the state the decision needs. */
export async function conflict(
  tx: Tx,
  id: number,
  detail: string,
): Promise<BoardError> {
  const [row] = await tx.query<DecisionRow>(
    `SELECT ${DECISION_COLUMNS} FROM decision d WHERE d.message_id = $1
     ORDER BY d.id DESC LIMIT 1`,
    [id],
  );
  const current = row === undefined ? null : publicDecision(row);
  return new BoardError('decision_conflict', detail, { current });
}
