import { In } from 'typeorm';
import type { RemoveReason } from '../../../protocol/entry.js';
import { Message } from '../../db/entities/message.js';
import { Report } from '../../db/entities/report.js';
import { Events } from '../../db/events.js';
import { OPEN_REPORTS } from '../../db/states.js';
import { BoardError } from '../../errors.js';
import { moderationUrl } from '../../http/urls.js';
import { AppendContext, BatchState, refuse } from '../../ledger/append.js';
import { lockHead } from '../../ledger/head.sql.js';
import type { DecisionInput, PublicDecision } from '../../moderation/index.js';
import {
  decidePoll,
  eraseMessage,
  hideTopic,
  keepMessage,
  moderationState,
  ordered,
  type RemovalBoard,
  reinstateMessage,
  removeMessage,
  restoreTopic,
} from '../../moderation/index.js';
import { type Role, reaches } from '../actions.js';
import { recordAudit } from '../audit.js';
import type {
  CommandAsked,
  Decided,
  DecisionPreview,
} from '../schemas/commands.js';
import { type ActionContext, command, type Operator } from './command.js';
import { rootOfPoll } from './subject.js';

type Input = CommandAsked<'decision.record'>;

/**
 * State, log entry, decision row, settled reports and audit row in one
 * transaction (spec/operators.md §2.1).
 *
 * @throws BoardError `forbidden` for an erasure by any but an admin,
 * `message_not_found`, `poll_not_found`, `report_not_found`, `invalid_input`,
 * `content_removed`, `decision_conflict` with `current`.
 */
export const decide = command('decision.record', {
  right: 'moderator',
  summary: 'Records a decision, with its public explanation.',
  cli: {
    words: 'decision',
    positional: ['action', 'id'],
    flags: { report_ids: 'report' },
  },
  handle: async (context, operator, input) => {
    mayDecide(operator, input);
    const done = await context.ledger.append((append) =>
      decideIn(append, context, operator, input),
    );
    // A decision settles the reports that it names, and no others.
    const open = await context.writes.manager.find(Report, {
      select: { requestId: true },
      where: { messageId: done.message_id, status: In([...OPEN_REPORTS]) },
      order: { createdAt: 'ASC' },
      take: 50,
    });
    return { ...done, open_reports: open.map(({ requestId }) => requestId) };
  },
});

/** Ends the transaction of a preview, which leaves nothing behind. */
class Undone extends Error {
  constructor(readonly shown: DecisionPreview) {
    super('a preview is rolled back');
  }
}

/**
 * The decision is made under the head lock and rolled back. Refused as
 * recording is.
 */
export const previewDecision = command('decision.preview', {
  right: 'moderator',
  summary: 'Shows exactly what recording a decision would publish now.',
  handle: async (context, operator, input) => {
    mayDecide(operator, input);
    try {
      return await context.writes.transaction(async (tx) => {
        const head = await lockHead(tx);
        const now = context.clock.now();
        const append = new AppendContext(new BatchState(tx), head, now);
        const silent = { ...context, events: new Events() };
        const decided = (await decideIn(append, silent, operator, input))();
        const id = decided.message_id;
        const message = await tx.manager.findOneByOrFail(Message, { id });
        const { removedBy, erasedBy, visibility } = message;
        const columns = { removed_by: removedBy, erased_by: erasedBy };
        const state = moderationState({ ...columns, visibility });
        const log_entry = append.leaves.at(-1)?.leaf ?? '';
        throw new Undone({ ...decided, state, log_entry });
      });
    } catch (thrown) {
      if (thrown instanceof Undone) return thrown.shown;
      throw thrown;
    }
  },
});

/** Only an admin destroys a text (spec/operators.md §1.5). */
export const leastToDecide = ({ action }: Pick<Input, 'action'>): Role =>
  action === 'erase' ? 'admin' : 'moderator';

/** @throws BoardError `forbidden` */
export function mayDecide(
  { role }: Operator,
  input: Pick<Input, 'action'>,
): void {
  if (reaches(role, leastToDecide(input))) return;
  throw new BoardError('forbidden', 'Only an admin may erase a text.');
}

/** One decision as a job of the ledger; `more` goes into the audit row. */
export async function decideIn(
  append: AppendContext,
  context: RemovalBoard & Pick<ActionContext, 'config'>,
  operator: Operator,
  input: Input,
  more: object = {},
): Promise<() => Decided> {
  const { action, id, seen } = input;
  const messageId =
    action === 'poll_decision' ? await rootOfPoll(append.tx, id) : id;
  if (messageId === undefined) {
    const detail = `No poll has the ID ${id}.`;
    return refuse(new BoardError('poll_not_found', detail));
  }
  const decision = decisionOf(input, messageId, operator);
  const late = await ordered(append.tx, {
    ...decision,
    ...(seen === undefined ? {} : { seen }),
  });
  if (late !== null) return refuse(late);
  const size = append.leaves.length;
  const recorded = await record(append, context, input, decision);
  // A refusal has appended nothing, and is no action.
  if (append.leaves.length > size) {
    const entry = {
      action: `decision.${action}`,
      subject: action === 'poll_decision' ? `poll:${id}` : `message:${id}`,
      before: seen === undefined ? null : { newest_decision: seen },
      after: { ...input, ...more },
    };
    await recordAudit(append.tx, operator, entry, append.at);
  }
  return () => ({
    decision: recorded(),
    message_id: messageId,
    moderation_url: moderationUrl(context.config.baseUrl, messageId),
  });
}

function decisionOf(
  input: Input,
  messageId: number,
  { alias }: Operator,
): DecisionInput {
  const { private_note: privateNote, supersedes, report_ids } = input;
  return {
    id: messageId,
    reason: input.reason ?? 'other',
    explanation: input.explanation,
    operator: alias,
    ...(privateNote === undefined ? {} : { privateNote }),
    ...(supersedes === undefined ? {} : { supersedes }),
    ...(report_ids === undefined ? {} : { reportIds: report_ids }),
  };
}

function record(
  append: AppendContext,
  board: RemovalBoard,
  { action, id, outcome = 'deferred' }: Input,
  decision: DecisionInput,
): Promise<() => PublicDecision> {
  // The schema has refused a removal for disagreement.
  const removal = { ...decision, reason: decision.reason as RemoveReason };
  switch (action) {
    case 'remove':
      return removeMessage(append, removal, board);
    case 'erase':
      return eraseMessage(append, removal, board);
    case 'reinstate':
      return reinstateMessage(append, decision);
    case 'hide':
      return hideTopic(append, decision, board);
    case 'restore_visibility':
      return restoreTopic(append, decision, board);
    case 'keep':
      return keepMessage(append, decision);
    case 'poll_decision':
      return decidePoll(append, { ...decision, pollId: id, outcome }, board);
  }
}
