import { In } from 'typeorm';
import { z } from 'zod';
import type { RemoveReason } from '../../../protocol/entry.js';
import {
  EXPLANATION_MAX,
  MODERATION_ACTIONS,
  MODERATION_REASONS,
  POLL_OUTCOMES,
  reasonsOf,
} from '../../../protocol/moderation.js';
import { Message } from '../../db/entities/message.js';
import { Report } from '../../db/entities/report.js';
import { Events } from '../../db/events.js';
import { OPEN_REPORTS } from '../../db/states.js';
import { BoardError } from '../../errors.js';
import { moderationUrl } from '../../http/urls.js';
import { AppendContext, BatchState, refuse } from '../../ledger/append.js';
import { lockHead } from '../../ledger/head.sql.js';
import {
  type DecisionInput,
  decidePoll,
  eraseMessage,
  hideTopic,
  keepMessage,
  type ModerationState,
  moderationState,
  newestDecision,
  ordered,
  type RemovalBoard,
  reinstateMessage,
  removeMessage,
  restoreTopic,
  type SeenDecision,
} from '../../moderation/index.js';
import { type AuditEntry, recordAudit } from '../audit.js';
import { type CommandContext, command, type Operator } from '../command.js';
import {
  explanation,
  id,
  reporterAnswer,
  requestIds,
  said,
} from '../fields.js';
import { type Role, reaches } from '../roles.js';
import { rootOfPoll } from './subject.js';

export const privateNote = said(EXPLANATION_MAX)
  .optional()
  .describe('For operators only.');

const decision = z.strictObject({
  action: z.enum(MODERATION_ACTIONS).describe('What is decided.'),
  id: id.describe('A message, or the poll of a `poll_decision`.'),
  reason: z
    .enum(MODERATION_REASONS)
    .optional()
    .describe('Why, by the action; a `poll_decision` may leave it out.'),
  explanation: explanation.describe(
    `Public and permanent, 1 to ${EXPLANATION_MAX} characters.`,
  ),
  private_note: privateNote,
  supersedes: id.optional().describe('The decision that this one undoes.'),
  report_ids: requestIds.optional().describe('The reports it closes.'),
  answer: reporterAnswer,
  outcome: z
    .enum(POLL_OUTCOMES)
    .optional()
    .describe('Of a `poll_decision`, and of no other.'),
  seen: id
    .nullable()
    .optional()
    .describe('The newest decision the operator saw; null for none.'),
});

export type DecideInput = z.output<typeof decision>;

/** Common to all decisions. */
export const ruling = decision.pick({
  action: true,
  reason: true,
  explanation: true,
  private_note: true,
  answer: true,
  outcome: true,
});

type Fields = Pick<DecideInput, 'action' | 'reason' | 'outcome'>;

/** `[field, sentence]`, or null. */
export function misfit(it: Fields): [keyof Fields, string] | null {
  const { action, outcome } = it;
  if (action === 'poll_decision') {
    if (outcome !== undefined) return it.reason ? misnamed(it) : null;
    return ['outcome', `must be one of ${POLL_OUTCOMES.join(', ')}`];
  }
  if (outcome !== undefined) {
    return ['outcome', 'must be left out: only a poll_decision has one'];
  }
  return misnamed(it);
}

/** For a reason that the action does not take (spec/operators.md §5.5). */
export function misnamed({
  action,
  reason,
}: Fields): ['reason', string] | null {
  const reasons = reasonsOf(action);
  if (reason !== undefined && reasons.includes(reason)) return null;
  return ['reason', `must be one of ${reasons.join(', ')} for ${action}`];
}

/** As a refinement. */
export const faultless =
  (faultOf: typeof misfit) => (it: Fields, refinement: z.RefinementCtx) => {
    const [field, message] = faultOf(it) ?? [];
    if (field === undefined) return;
    refinement.addIssue({ code: 'custom', path: [field], message });
  };

/** spec/operators.md §2.1 */
const decideInput = decision.superRefine(faultless(misfit));

export type Decided = {
  decision: SeenDecision;
  message_id: number;
  moderation_url: string;
  /** Still open; only of a recorded decision. */
  open_reports?: string[];
};

/** With the log's entry. */
export type DecisionPreview = Decided & {
  state: ModerationState;
  log_entry: string;
};

/**
 * State, entry, row, reports and audit row in one transaction
 * (spec/operators.md §2.1).
 * @throws BoardError `forbidden` for an erasure by any but an admin,
 *   `message_not_found`, `poll_not_found`, `report_not_found`, `invalid_input`,
 *   `content_removed`, `decision_conflict` with `current`
 */
export const decide = command({
  name: 'decision.record',
  right: 'moderator',
  summary: 'Record a decision, with its public explanation.',
  input: decideInput,
  cli: {
    words: 'decision',
    positional: ['action', 'id'],
    flags: { report_ids: 'report' },
  },
  handle: async ({ ctx, operator, input }) => {
    mayDecide(operator, input);
    const done = await ctx.ledger.append((append) =>
      decideIn(append, ctx, operator, input),
    );
    // The decision is on record: what fails after it must not say otherwise.
    const open = await openReports(ctx, done.message_id).catch(() => null);
    return { ...done, ...(open === null ? {} : { open_reports: open }) };
  },
});

/** Other reports stay open; the oldest 50. */
async function openReports(
  ctx: CommandContext,
  messageId: number,
): Promise<string[]> {
  const open = await ctx.writes.manager.find(Report, {
    select: { requestId: true },
    where: { messageId, status: In([...OPEN_REPORTS]) },
    order: { createdAt: 'ASC' },
    take: 50,
  });
  return open.map(({ requestId }) => requestId);
}

/** Rolls a preview back. */
class Undone extends Error {
  constructor(readonly shown: DecisionPreview) {
    super('a preview is rolled back');
  }
}

/** Decided under the head lock and rolled back; refuses as recording does. */
export const previewDecision = command({
  name: 'decision.preview',
  reads: true,
  right: 'moderator',
  summary: 'Show exactly what recording a decision would publish now.',
  input: decideInput,
  handle: async ({ ctx, operator, input }) => {
    mayDecide(operator, input);
    try {
      return await ctx.writes.transaction(async (tx) => {
        const head = await lockHead(tx);
        const now = ctx.clock.now();
        const append = new AppendContext(new BatchState(tx), head, now);
        const silent = { ...ctx, events: new Events() };
        const done = await decideIn(append, silent, operator, input);
        await append.batch.buffer.flush();
        const decided = done();
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

/** Only admins destroy a text (spec/operators.md §1.5). */
export const leastToDecide = ({ action }: Pick<DecideInput, 'action'>): Role =>
  action === 'erase' ? 'admin' : 'moderator';

/** @throws BoardError `forbidden` */
export function mayDecide(
  { role }: Operator,
  input: Pick<DecideInput, 'action'>,
): void {
  if (reaches(role, leastToDecide(input))) return;
  throw new BoardError('forbidden', 'Only an admin may erase a text.');
}

/**
 * As a job of the ledger; `more`: for the audit row, which joins `audits` if
 * these are given.
 */
export async function decideIn(
  append: AppendContext,
  context: RemovalBoard & Pick<CommandContext, 'config'>,
  operator: Operator,
  input: DecideInput,
  more: object = {},
  audits?: AuditEntry[],
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
  // A refusal appended nothing and is no action.
  if (append.leaves.length > size) {
    const stays =
      action === 'hide' &&
      (await newestDecision(append.tx, { messageId }))?.stays_hidden;
    const entry = {
      action: `decision.${action}`,
      subject: action === 'poll_decision' ? `poll:${id}` : `message:${id}`,
      before: seen === undefined ? null : { newest_decision: seen },
      after: { ...input, ...more, ...(stays ? { stays_hidden: true } : {}) },
    };
    if (audits !== undefined) audits.push(entry);
    else await recordAudit(append.tx, operator, entry, append.at);
  }
  return () => ({
    decision: recorded(),
    message_id: messageId,
    moderation_url: moderationUrl(context.config.baseUrl, messageId),
  });
}

function decisionOf(
  input: DecideInput,
  messageId: number,
  { alias }: Operator,
): DecisionInput {
  const { private_note: privateNote, supersedes, report_ids, answer } = input;
  return {
    id: messageId,
    reason: input.reason ?? 'other',
    explanation: input.explanation,
    operator: alias,
    ...(privateNote === undefined ? {} : { privateNote }),
    ...(supersedes === undefined ? {} : { supersedes }),
    ...(report_ids === undefined ? {} : { reportIds: report_ids }),
    ...(answer ? { answer } : {}),
  };
}

function record(
  append: AppendContext,
  board: RemovalBoard,
  { action, id, outcome = 'deferred' }: DecideInput,
  decision: DecisionInput,
): Promise<() => SeenDecision> {
  // The schema refuses removals for disagreement.
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
