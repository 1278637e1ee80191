import type { Events } from '../db/events.js';
import { BoardError } from '../errors.js';
import type { Turn } from '../ledger/append-context.js';
import type { Limits } from '../limits.js';
import { voidPoll } from '../polls/close-poll.js';
import { takePollText } from '../polls/poll-text.js';
import {
  conflict,
  type PublicDecision,
  publicDecision,
  type RemovalRuling,
  type Ruling,
  recordDecision,
  refuse,
  type Subject,
  subjectOf,
  unknownSubject,
} from './record-decision.js';
import {
  eraseSealed,
  isSealed,
  recountThread,
  sealContent,
  unsealContent,
} from './removed-content.js';

/** What of a board a removal needs besides its turn. */
export type RemovalBoard = {
  limits: Pick<Limits, 'survey_votes_min'>;
  events: Events;
};

/**
 * Removes a message in one turn of the ledger (spec/mesh.md §B4, Removal): its
 * text leaves every read path and is sealed for reinstatement, its topic's poll
 * is voided, the log gets a `remove` entry and the decision its row. Refused
 * with
 * `message_not_found` or `decision_conflict`.
 *
 * `ctx.ledger.append((turn) => removeMessage(turn, ruling, ctx))`
 */
export async function removeMessage(
  turn: Turn,
  ruling: RemovalRuling,
  board: RemovalBoard,
): Promise<() => PublicDecision> {
  const subject = await subjectOf(turn.tx, ruling.id);
  if (subject === null) return refuse(unknownSubject(ruling.id));
  if (subject.removed_by !== null) {
    const detail = 'This message is removed already.';
    return refuse(await conflict(turn.tx, ruling.id, detail));
  }
  return await takeDown(turn, 'remove', subject, ruling, board);
}

/**
 * Destroys a message's text and keeps its hashes: at once when it is still
 * visible, or what a removal has sealed. Refused with `message_not_found`, or
 * `decision_conflict` when nothing is left of the text.
 */
export async function eraseMessage(
  turn: Turn,
  ruling: RemovalRuling,
  board: RemovalBoard,
): Promise<() => PublicDecision> {
  const { tx } = turn;
  const subject = await subjectOf(tx, ruling.id);
  if (subject === null) return refuse(unknownSubject(ruling.id));
  if (subject.erased_by !== null) {
    const detail = 'The text of this message is erased already.';
    return refuse(await conflict(tx, ruling.id, detail));
  }
  const { removed_by: removedBy } = subject;
  if (removedBy === null) {
    return await takeDown(turn, 'erase', subject, ruling, board);
  }
  const full = { supersedes: removedBy, ...ruling };
  const row = await recordDecision(turn, 'erase', subject, full, 'decision');
  await eraseSealed(tx, ruling.id, row.id);
  return () => publicDecision(row);
}

/** Takes a visible message out of every read path, sealed or erased. */
async function takeDown(
  turn: Turn,
  action: 'remove' | 'erase',
  subject: Subject,
  ruling: RemovalRuling,
  { limits, events }: RemovalBoard,
): Promise<() => PublicDecision> {
  const { tx, at } = turn;
  const { id, root_id: rootId } = subject;
  const isTopic = id === rootId;
  const votesMin = limits.survey_votes_min;
  const voided = isTopic && (await voidPoll(turn, id, votesMin));
  const poll = isTopic ? await takePollText(tx, id) : null;
  const row = await recordDecision(turn, action, subject, ruling, 'remove');
  const keep = action === 'remove';
  await sealContent(tx, { id, decisionId: row.id, at, keep, poll });
  await recountThread(tx, rootId);
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
  turn: Turn,
  ruling: Ruling,
): Promise<() => PublicDecision> {
  const { tx } = turn;
  const subject = await subjectOf(tx, ruling.id);
  if (subject === null) return refuse(unknownSubject(ruling.id));
  const { removed_by: removedBy, erased_by: erasedBy } = subject;
  if (removedBy === null) {
    const detail = 'This message is not removed.';
    return refuse(await conflict(tx, ruling.id, detail));
  }
  const sealed = await isSealed(tx, ruling.id, turn.now);
  if (erasedBy !== null || !sealed) return refuse(nothingLeft());
  const full = { supersedes: removedBy, ...ruling };
  const action = 'reinstate';
  const row = await recordDecision(turn, action, subject, full, 'decision');
  await unsealContent(tx, subject);
  await recountThread(tx, subject.root_id);
  return () => publicDecision(row);
}

function nothingLeft(): BoardError {
  return new BoardError(
    'content_removed',
    'The text of this message is erased; nothing is left to reinstate.',
  );
}
