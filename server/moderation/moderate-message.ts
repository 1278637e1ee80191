import { Message } from '../db/entities/message.js';
import { Poll } from '../db/entities/poll.js';
import type { Events } from '../db/events.js';
import { noteEvent } from '../db/note-event.js';
import { HIDDEN, type MessageVisibility } from '../db/states.js';
import { BoardError, invalid } from '../errors.js';
import { type AppendContext, refuse } from '../ledger/append.js';
import type { Limits } from '../limits.js';
import { takePollText, voidPoll } from '../polls/index.js';
import { moderationUnchanged } from './decision-order.js';
import {
  conflict,
  type DecisionInput,
  type RemovalInput,
  recordDecision,
  type SeenDecision,
  type Subject,
  seenDecision,
  subjectOf,
  unknownSubject,
} from './record-decision.js';
import {
  eraseSealed,
  isSealed,
  sealContents,
  unsealContent,
} from './removed-content.js';

type VisibilityBoard = { events: Events };

export type RemovalBoard = VisibilityBoard & {
  limits: Pick<Limits, 'survey_votes_min'>;
};

/** An obstacle that is a text becomes the detail of `decision_conflict`. */
async function subjectFor(
  { tx }: AppendContext,
  { id }: DecisionInput,
  obstacle: (subject: Subject) => string | BoardError | null,
): Promise<Subject | (() => never)> {
  const subject = await subjectOf(tx, id);
  if (subject === null) return refuse(unknownSubject(id));
  const why = obstacle(subject);
  if (why === null) return subject;
  return refuse(typeof why === 'string' ? await conflict(tx, id, why) : why);
}

function undoing(decision: number | null, input: DecisionInput): DecisionInput {
  return decision === null ? input : { supersedes: decision, ...input };
}

/**
 * In one job (spec/mesh.md §B4, Removal): seals the text, voids the topic's
 * poll, appends a `remove` entry. Refuses with `message_not_found` or
 * `decision_conflict`.
 * `ctx.ledger.append((context) => removeMessage(context, input, ctx))`
 */
export async function removeMessage(
  context: AppendContext,
  input: RemovalInput,
  board: RemovalBoard,
): Promise<() => SeenDecision> {
  const subject = await subjectFor(context, input, ({ removedBy }) =>
    removedBy === null ? null : 'This message is removed already.',
  );
  if (typeof subject === 'function') return subject;
  return await takeDown(context, 'remove', subject, input, board);
}

/**
 * Destroys the text (visible or sealed) and keeps its hashes. Refuses with
 * `message_not_found`, or `decision_conflict` when no text is left.
 */
export async function eraseMessage(
  context: AppendContext,
  input: RemovalInput,
  board: RemovalBoard,
): Promise<() => SeenDecision> {
  const subject = await subjectFor(context, input, ({ erasedBy }) =>
    erasedBy === null ? null : 'The text of this message is erased already.',
  );
  if (typeof subject === 'function') return subject;
  if (subject.removedBy === null) {
    return await takeDown(context, 'erase', subject, input, board);
  }
  const full = undoing(subject.removedBy, input);
  const row = await recordDecision(context, 'erase', subject, full, 'decision');
  await eraseSealed(context.tx, input.id, row.id);
  return () => seenDecision(row);
}

async function takeDown(
  context: AppendContext,
  action: 'remove' | 'erase',
  subject: Subject,
  input: RemovalInput,
  { limits, events }: RemovalBoard,
): Promise<() => SeenDecision> {
  const { tx, at } = context;
  const { id } = subject;
  const { rootId } = subject;
  const votesMin = limits.survey_votes_min;
  // A poll is locked only where there is one: a bulk removes many topics.
  const polled = id === rootId && (await tx.manager.existsBy(Poll, { rootId }));
  const voided = polled && (await voidPoll(context, id, votesMin));
  const poll = polled ? await takePollText(tx, id) : null;
  const row = await recordDecision(context, action, subject, input, 'remove');
  const keep = action === 'remove';
  const removal = { id, rootId, decisionId: row.id, at, keep, poll };
  await context.batch.buffer.add(sealContents, removal);
  return () => {
    if (voided) events.emit('polls');
    return seenDecision(row);
  };
}

/**
 * Within 30 days of the removal and not after an erasure (`content_removed`). A
 * voided poll stays closed. Refuses with `decision_conflict` when it is not
 * removed.
 */
export async function reinstateMessage(
  context: AppendContext,
  input: DecisionInput,
): Promise<() => SeenDecision> {
  const { tx } = context;
  const subject = await subjectFor(context, input, ({ removedBy }) =>
    removedBy === null ? 'This message is not removed.' : null,
  );
  if (typeof subject === 'function') return subject;
  const sealed = await isSealed(tx, input.id, context.now);
  if (subject.erasedBy !== null || !sealed) {
    const detail =
      'The text of this message is erased; nothing is left to reinstate.';
    return refuse(new BoardError('content_removed', detail));
  }
  const full = undoing(subject.removedBy, input);
  const action = 'reinstate';
  const row = await recordDecision(context, action, subject, full, 'decision');
  await unsealContent(tx, subject);
  return () => seenDecision(row);
}

/**
 * spec/operators.md §2.1. Refuses with `message_not_found`, or
 * `decision_conflict` when it is removed, or kept and not reported since.
 */
export async function keepMessage(
  context: AppendContext,
  input: DecisionInput,
): Promise<() => SeenDecision> {
  const { tx } = context;
  const subject = await subjectFor(context, input, ({ removedBy }) =>
    removedBy === null
      ? null
      : 'This message is removed; reinstate it to keep it.',
  );
  if (typeof subject === 'function') return subject;
  if (await moderationUnchanged(tx, input)) {
    const detail = 'This message is kept already, with no report since.';
    return refuse(await conflict(tx, input.id, detail));
  }
  const row = await recordDecision(context, 'keep', subject, input, 'decision');
  return () => seenDecision(row);
}

const isHidden = (visibility: MessageVisibility): boolean =>
  HIDDEN.some((hidden) => hidden === visibility);

/**
 * Like hiding by ratings, until it is restored (spec/operators.md §2.1).
 * Refuses with `message_not_found`, `invalid_input` for a reply,
 * `decision_conflict`.
 */
export function hideTopic(
  context: AppendContext,
  input: DecisionInput,
  board: VisibilityBoard,
) {
  return decide(context, input, board, 'hide', ({ visibility }) =>
    visibility === 'hidden_by_decision' ? 'hidden by a decision already' : null,
  );
}

/** Permanent: later down votes do not hide it again (spec/board.md §2.20). */
export function restoreTopic(
  context: AppendContext,
  input: DecisionInput,
  board: VisibilityBoard,
) {
  return decide(
    context,
    input,
    board,
    'restore_visibility',
    ({ visibility }) => (isHidden(visibility) ? null : 'not hidden'),
  );
}

async function decide(
  context: AppendContext,
  input: DecisionInput,
  { events }: VisibilityBoard,
  action: 'hide' | 'restore_visibility',
  obstacle: (subject: Subject) => string | null,
): Promise<() => SeenDecision> {
  const { tx } = context;
  const subject = await subjectFor(context, input, (it) => {
    if (it.id !== it.rootId) {
      const detail =
        'Only a topic can be hidden or shown again; this message is a reply.';
      return invalid('message_id', detail);
    }
    const why = it.removedBy === null ? obstacle(it) : 'removed';
    return why === null ? null : `This topic is ${why}.`;
  });
  if (typeof subject === 'function') return subject;
  const full = undoing(subject.visibilityBy, input);
  const stays = action === 'hide' && subject.visibility === 'hidden_by_ratings';
  const row = await recordDecision(
    context,
    action,
    subject,
    full,
    'decision',
    undefined,
    stays,
  );
  const visibility =
    action === 'hide' ? 'hidden_by_decision' : 'restored_by_decision';
  const shown = { visibility, visibilityBy: row.id } as const;
  await tx.manager.update(Message, { id: input.id }, shown);
  await noteEvent(tx, 'hidden', { message_id: input.id, visibility });
  return () => {
    events.emit('hidden');
    return seenDecision(row);
  };
}
