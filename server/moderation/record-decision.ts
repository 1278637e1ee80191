import { type FindOptionsWhere, In, IsNull, Not } from 'typeorm';
import { sha256, utf8 } from '../../protocol/bytes.js';
import type {
  DecisionAction as LoggedAction,
  RemoveBy,
  RemoveReason,
} from '../../protocol/entry.js';
import {
  isRemoveReason,
  type ModerationAction,
  type ModerationReason,
  type PollOutcome,
} from '../../protocol/moderation.js';
import { publicTime } from '../clock.js';
import { Decision } from '../db/entities/decision.js';
import { Message } from '../db/entities/message.js';
import { nextId } from '../db/next-id.sql.js';
import { noteEvent } from '../db/note-event.js';
import type { Tx } from '../db/sql.js';
import type { DecisionEffect } from '../db/states.js';
import { BoardError } from '../errors.js';
import type { AppendContext } from '../ledger/append.js';
import type { PublicDecision } from './answers.js';
import { endClaimsOn } from './claims.js';
import { changeReports } from './reports/change-reports.js';

/** spec/operators.md §2.1 */
export type DecisionInput = {
  id: number;
  by?: RemoveBy;
  reason: ModerationReason;
  /** 1..2000 code points, public. */
  explanation: string;
  /** The public alias, 1..48 code points. */
  operator: string;
  /** At most 2000 code points; never public. */
  privateNote?: string;
  supersedes?: number;
  /** Settled reports, by `request_id`. */
  reportIds?: readonly string[];
  /** For who sent these reports; at most 500 code points. */
  answer?: string;
};

/** Never for disagreement (spec/board.md §2.20). */
export type RemovalInput = DecisionInput & { reason: RemoveReason };

export type DecisionRow = Omit<PublicDecision, 'decided_at'> & {
  decided_at: number;
};

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

const SUBJECT = {
  id: true,
  rootId: true,
  messageHash: true,
  removedBy: true,
  erasedBy: true,
  visibility: true,
  visibilityBy: true,
} as const;

export type Subject = Pick<Message, keyof typeof SUBJECT>;

/** No row lock: decisions wait for the head lock. */
export async function subjectOf(tx: Tx, id: number): Promise<Subject | null> {
  return await tx.manager.findOne(Message, { select: SUBJECT, where: { id } });
}

export type DecidedPoll = { pollId: number; outcome: PollOutcome };

/** For operators: `hide` has two names. */
export type SeenDecision = PublicDecision & { stays_hidden: boolean };

type SeenRow = DecisionRow & Pick<SeenDecision, 'stays_hidden'>;

export const seenDecision = (row: SeenRow): SeenDecision => ({
  ...publicDecision(row),
  stays_hidden: row.stays_hidden,
});

/** The state that only such a decision causes. */
const EFFECTS: Readonly<Partial<Record<ModerationAction, DecisionEffect>>> = {
  remove: 'removed',
  erase: 'removed',
  hide: 'hidden_by_decision',
  restore_visibility: 'restored_by_decision',
};

/**
 * Appends the log entry (spec/mesh.md §B4), writes the row and settles reports.
 * `as`: type of the entry; removals of text are logged as `remove`, poll
 * decisions by outcome.
 */
export async function recordDecision(
  context: AppendContext,
  action: ModerationAction,
  { messageHash: target }: Pick<Subject, 'messageHash'>,
  input: DecisionInput,
  as: 'remove' | 'decision',
  poll?: DecidedPoll,
  stays_hidden = false,
): Promise<SeenRow> {
  const { tx, at } = context;
  const { id: messageId, by = 'operator', reason, explanation } = input;
  const explain = sha256(utf8(explanation));
  const entry = { at, id: messageId, target, explain };
  const logIndex = context.append(
    as === 'remove' && isRemoveReason(reason)
      ? { ...entry, type: 'remove', by, reason }
      : { ...entry, type: 'decision', action: logged(action, poll) },
    { messageId, messageHash: target },
  );
  const id = await nextId(tx, 'decision');
  const row = { id, action, reason, explanation, operator: input.operator };
  const supersedes = input.supersedes ?? null;
  await tx.manager.insert(Decision, {
    ...row,
    messageId,
    effect: EFFECTS[action] ?? null,
    staysHidden: stays_hidden,
    madeBy: by,
    decidedAt: at,
    supersedes,
    logIndex,
    privateNote: input.privateNote ?? null,
    pollId: poll?.pollId ?? null,
    outcome: poll?.outcome ?? null,
    generation: () => '(SELECT generation FROM log_state WHERE origin_id = 0)',
  });
  await settleReports(tx, input, id, at);
  await endClaimsOn(tx, messageId, at);
  await noteEvent(tx, 'decision', {
    decision_id: id,
    message_id: messageId,
    action,
    reason,
    poll_id: poll?.pollId ?? null,
    operator: input.operator,
  });
  return {
    ...row,
    decided_at: at,
    supersedes,
    log_index: logIndex,
    stays_hidden,
  };
}

async function settleReports(
  tx: Tx,
  { id, reportIds = [], answer }: DecisionInput,
  decisionId: number,
  statusAt: number,
): Promise<void> {
  if (reportIds.length === 0) return;
  const requestId = In([...reportIds]);
  await changeReports(
    tx,
    [
      { requestId, messageId: id },
      { requestId, cardId: Not(IsNull()) },
    ],
    { status: 'resolved', statusAt, decisionId, answer: answer ?? null },
  );
}

function logged(action: ModerationAction, poll?: DecidedPoll): LoggedAction {
  if (action === 'remove') throw new Error('a removal is logged as one');
  if (action === 'restore_visibility') return 'restore';
  if (action !== 'poll_decision') return action;
  if (poll === undefined) throw new Error('a poll decision names its poll');
  return `poll-${poll.outcome}`;
}

export function unknownSubject(id: number): BoardError {
  return new BoardError(
    'message_not_found',
    `This board has never issued the message ID ${id}.`,
  );
}

/** The subject is not in the state that the decision needs. */
export async function conflict(
  tx: Tx,
  messageId: number,
  detail: string,
): Promise<BoardError> {
  const current = await newestDecision(tx, { messageId });
  return new BoardError('decision_conflict', detail, { current });
}

export async function newestDecision(
  { manager }: Tx,
  where: FindOptionsWhere<Decision>,
): Promise<SeenDecision | null> {
  const row = await manager.findOne(Decision, {
    where,
    order: { id: 'DESC' },
  });
  if (row === null) return null;
  const { decidedAt: decided_at, logIndex: log_index, staysHidden } = row;
  const stays_hidden = staysHidden;
  return seenDecision({ ...row, decided_at, log_index, stays_hidden });
}
