import { Message } from '../db/entities/message.js';
import type { Events } from '../db/events.js';
import { noteEvent } from '../db/note-event.js';
import { HIDDEN, type MessageVisibility } from '../db/states.js';
import { BoardError } from '../errors.js';
import { type AppendContext, refuse } from '../ledger/append.js';
import type { Limits } from '../limits.js';
import { takePollText, voidPoll } from '../polls/index.js';
import type { PublicDecision } from './answers.js';
import { moderationUnchanged } from './decision-order.js';
import {
  conflict,
  type DecisionInput,
  publicDecision,
  type RemovalInput,
  recordDecision,
  type Subject,
  subjectOf,
  unknownSubject,
} from './record-decision.js';
import {
  countReply,
  eraseSealed,
  isSealed,
  sealContent,
  unsealContent,
} from './removed-content.js';

type VisibilityBoard = { events: Events };

/** What of a board a removal needs besides its context. */
export type RemovalBoard = VisibilityBoard & {
  limits: Pick<Limits, 'survey_votes_min'>;
};

/**
 * The message that a decision is about, or the refusal: it is unknown, or there
 * is an obstacle, of which a text is the detail of `decision_conflict`.
 */
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

/** The input of a decision that undoes another one, unless it names its own. */
function undoing(decision: number | null, input: DecisionInput): DecisionInput {
  return decision === null ? input : { supersedes: decision, ...input };
}

/**
 * Removes a message in one job of the ledger (spec/mesh.md §B4, Removal): its
 * text leaves every read path and is sealed for reinstatement, its topic's poll
 * is voided, the log gets a `remove` entry and the decision its row. Refused
 * with `message_not_found` or `decision_conflict`.
 *
 * `ctx.ledger.append((context) => removeMessage(context, input, ctx))`
 */
export async function removeMessage(
  context: AppendContext,
  input: RemovalInput,
  board: RemovalBoard,
): Promise<() => PublicDecision> {
  const subject = await subjectFor(context, input, ({ removedBy }) =>
    removedBy === null ? null : 'This message is removed already.',
  );
  if (typeof subject === 'function') return subject;
  return await takeDown(context, 'remove', subject, input, board);
}

/**
 * Destroys a message's text and keeps its hashes: at once when it is still
 * visible, or what a removal has sealed. Refused with `message_not_found`, or
 * `decision_conflict` when nothing is left of the text.
 */
export async function eraseMessage(
  context: AppendContext,
  input: RemovalInput,
  board: RemovalBoard,
): Promise<() => PublicDecision> {
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
  return () => publicDecision(row);
}

/** Takes a visible message out of every read path, sealed or erased. */
async function takeDown(
  context: AppendContext,
  action: 'remove' | 'erase',
  subject: Subject,
  input: RemovalInput,
  { limits, events }: RemovalBoard,
): Promise<() => PublicDecision> {
  const { tx, at } = context;
  const { id } = subject;
  const isTopic = id === subject.rootId;
  const votesMin = limits.survey_votes_min;
  const voided = isTopic && (await voidPoll(context, id, votesMin));
  const poll = isTopic ? await takePollText(tx, id) : null;
  const row = await recordDecision(context, action, subject, input, 'remove');
  const keep = action === 'remove';
  await sealContent(tx, { id, decisionId: row.id, at, keep, poll });
  await countReply(tx, subject, -1);
  return () => {
    if (voided) events.emit('polls');
    return publicDecision(row);
  };
}

/**
 * Puts a removed message back while its text is sealed: within 30 days of its
 * removal and never after an erasure (`content_removed`). A voided poll stays
 * closed. Refused with `decision_conflict` when it is not removed.
 */
export async function reinstateMessage(
  context: AppendContext,
  input: DecisionInput,
): Promise<() => PublicDecision> {
  const { tx } = context;
  const subject = await subjectFor(context, input, ({ removedBy }) =>
    removedBy === null ? 'This message is not removed.' : null,
  );
  if (typeof subject === 'function') return subject;
  const sealed = await isSealed(tx, input.id, context.now);
  if (subject.erasedBy !== null || !sealed) return refuse(nothingLeft());
  const full = undoing(subject.removedBy, input);
  const action = 'reinstate';
  const row = await recordDecision(context, action, subject, full, 'decision');
  await unsealContent(tx, subject);
  await countReply(tx, subject, 1);
  return () => publicDecision(row);
}

function nothingLeft(): BoardError {
  return new BoardError(
    'content_removed',
    'The text of this message is erased; nothing is left to reinstate.',
  );
}

/**
 * Records that a message stays (spec/operators.md §2.1). Refused with
 * `message_not_found`, or `decision_conflict` when it is removed, or kept
 * already and nobody reported it since.
 */
export async function keepMessage(
  context: AppendContext,
  input: DecisionInput,
): Promise<() => PublicDecision> {
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
  return () => publicDecision(row);
}

const isHidden = (visibility: MessageVisibility): boolean =>
  HIDDEN.some((hidden) => hidden === visibility);

/**
 * Hides a topic with all effects of hiding by ratings, until it is restored
 * (spec/operators.md §2.1). Refused with `message_not_found`, `invalid_input`
 * for a reply, `decision_conflict` when it is removed or hidden by decision
 * already.
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

/**
 * Shows a hidden topic again; the restore holds against later down votes
 * (spec/board.md §2.20). Refused as `hideTopic` is, or when it is not hidden.
 */
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
): Promise<() => PublicDecision> {
  const { tx } = context;
  const subject = await subjectFor(context, input, (it) => {
    if (it.id !== it.rootId) return notATopic();
    const why = it.removedBy === null ? obstacle(it) : 'removed';
    return why === null ? null : `This topic is ${why}.`;
  });
  if (typeof subject === 'function') return subject;
  const full = undoing(subject.visibilityBy, input);
  const row = await recordDecision(context, action, subject, full, 'decision');
  const visibility =
    action === 'hide' ? 'hidden_by_decision' : 'restored_by_decision';
  const shown = { visibility, visibilityBy: row.id } as const;
  await tx.manager.update(Message, { id: input.id }, shown);
  await noteEvent(tx, 'hidden', { message_id: input.id, visibility });
  return () => {
    events.emit('hidden');
    return publicDecision(row);
  };
}

function notATopic(): BoardError {
  return new BoardError(
    'invalid_input',
    'Only a topic can be hidden or restored; this message is a reply.',
    { field: 'message_id' },
  );
}
