import type { RemoveReason } from '../../../protocol/entry.js';
import type { Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { moderationUrl } from '../../http/urls.js';
import type { Turn } from '../../ledger/append-context.js';
import { decidePoll, topicOfPoll } from '../../moderation/decide-poll.js';
import { ordered } from '../../moderation/decision-order.js';
import { keepMessage } from '../../moderation/keep-message.js';
import {
  type PublicDecision,
  type Ruling,
  refuse,
} from '../../moderation/record-decision.js';
import {
  eraseMessage,
  type RemovalBoard,
  reinstateMessage,
  removeMessage,
} from '../../moderation/tombstone.js';
import { hideTopic, restoreTopic } from '../../moderation/topic-visibility.js';
import { recordAudit } from '../audit.js';
import type { Decided } from '../schemas/answers.js';
import type { DecideInput } from '../schemas/decide-command.js';
import type { Desk, Operator } from './action-context.js';

/**
 * Records a decision (spec/operators.md §2.1): state, log entry, decision row,
 * settled reports and audit row in one transaction.
 *
 * @throws BoardError `forbidden` for an erasure by any but an admin,
 * `message_not_found`, `poll_not_found`, `report_not_found`, `invalid_input`,
 * `content_removed`, `decision_conflict` with `current`.
 */
export async function decide(
  desk: Desk,
  operator: Operator,
  input: DecideInput,
): Promise<Decided> {
  mayDecide(operator, input);
  return await desk.ledger.append((turn) =>
    decideIn(turn, desk, operator, input),
  );
}

/** Only an admin destroys a text (spec/operators.md §1.5). */
export function mayDecide({ role }: Operator, { action }: DecideInput): void {
  if (action !== 'erase' || role === 'admin') return;
  throw new BoardError('forbidden', 'Only an admin may erase a text.');
}

/** A decision in a turn of the ledger that somebody else has opened. */
export async function decideIn(
  turn: Turn,
  desk: RemovalBoard & Pick<Desk, 'config'>,
  operator: Operator,
  input: DecideInput,
): Promise<() => Decided> {
  const messageId = await subjectOf(turn.tx, input);
  if (messageId === null) {
    const detail = `No poll has the ID ${input.id}.`;
    return refuse(new BoardError('poll_not_found', detail));
  }
  const ruling = rulingOf(input, messageId, operator);
  const late = await ordered(turn.tx, {
    ...ruling,
    ...(input.seen === undefined ? {} : { seen: input.seen }),
  });
  if (late !== null) return refuse(late);
  const size = turn.leaves.length;
  const recorded = await record(turn, desk, input, ruling);
  // What was refused has appended nothing, and is no action.
  if (turn.leaves.length > size) await noted(turn, operator, input);
  return () => ({
    decision: recorded(),
    message_id: messageId,
    moderation_url: moderationUrl(desk.config.baseUrl, messageId),
  });
}

function noted(
  turn: Turn,
  operator: Operator,
  input: DecideInput,
): Promise<void> {
  const { action, id } = input;
  const deed = {
    action: `decision.${action}`,
    subject: action === 'poll_decision' ? `poll:${id}` : `message:${id}`,
    before: input.seen === undefined ? null : { newest_decision: input.seen },
    after: input,
  };
  return recordAudit(turn.tx, operator, deed, turn.at);
}

async function subjectOf(
  tx: Tx,
  { action, id }: DecideInput,
): Promise<number | null> {
  if (action !== 'poll_decision') return id;
  return (await topicOfPoll(tx, id))?.root_id ?? null;
}

function rulingOf(
  input: DecideInput,
  messageId: number,
  { alias }: Operator,
): Ruling {
  return {
    id: messageId,
    reason: input.reason ?? 'other',
    explanation: input.explanation,
    operator: alias,
    ...(input.private_note === undefined
      ? {}
      : { privateNote: input.private_note }),
    ...(input.supersedes === undefined ? {} : { supersedes: input.supersedes }),
    ...(input.report_ids === undefined ? {} : { reportIds: input.report_ids }),
  };
}

function record(
  turn: Turn,
  board: RemovalBoard,
  input: DecideInput,
  ruling: Ruling,
): Promise<() => PublicDecision> {
  const { action, id, outcome = 'deferred' } = input;
  // The schema has refused a removal for disagreement.
  const removal = { ...ruling, reason: ruling.reason as RemoveReason };
  switch (action) {
    case 'remove':
      return removeMessage(turn, removal, board);
    case 'erase':
      return eraseMessage(turn, removal, board);
    case 'reinstate':
      return reinstateMessage(turn, ruling);
    case 'hide':
      return hideTopic(turn, ruling, board);
    case 'restore_visibility':
      return restoreTopic(turn, ruling, board);
    case 'keep':
      return keepMessage(turn, ruling);
    case 'poll_decision':
      return decidePoll(turn, { ...ruling, pollId: id, outcome }, board);
  }
}
