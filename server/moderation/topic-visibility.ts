import type { Events } from '../db/events.js';
import { BoardError } from '../errors.js';
import type { Turn } from '../ledger/append-context.js';
import {
  conflict,
  type PublicDecision,
  publicDecision,
  type Ruling,
  recordDecision,
  refuse,
  type Subject,
  subjectOf,
  unknownSubject,
} from './record-decision.js';

type Board = { events: Events };

const HIDDEN = ['hidden_by_ratings', 'hidden_by_decision'];

/**
 * Hides a topic with all effects of hiding by ratings, until it is restored
 * (spec/operators.md §2.1). Refused with `message_not_found`, `invalid_input`
 * for a reply, `decision_conflict` when it is removed or hidden by decision
 * already.
 */
export function hideTopic(turn: Turn, ruling: Ruling, board: Board) {
  return decide(turn, ruling, board, 'hide', ({ visibility }) =>
    visibility === 'hidden_by_decision' ? 'hidden by a decision already' : null,
  );
}

/**
 * Shows a hidden topic again; the restore holds against later down votes
 * (spec/board.md §2.20). Refused as `hideTopic` is, or when it is not hidden.
 */
export function restoreTopic(turn: Turn, ruling: Ruling, board: Board) {
  return decide(turn, ruling, board, 'restore_visibility', ({ visibility }) =>
    HIDDEN.includes(visibility) ? null : 'not hidden',
  );
}

async function decide(
  turn: Turn,
  ruling: Ruling,
  { events }: Board,
  action: 'hide' | 'restore_visibility',
  obstacle: (subject: Subject) => string | null,
): Promise<() => PublicDecision> {
  const { tx } = turn;
  const subject = await subjectOf(tx, ruling.id);
  if (subject === null) return refuse(unknownSubject(ruling.id));
  if (subject.id !== subject.root_id) return refuse(notATopic());
  const why = subject.removed_by === null ? obstacle(subject) : 'removed';
  if (why !== null) {
    return refuse(await conflict(tx, ruling.id, `This topic is ${why}.`));
  }
  const undone = subject.visibility_by;
  const full = {
    ...(undone === null ? {} : { supersedes: undone }),
    ...ruling,
  };
  const row = await recordDecision(turn, action, subject, full, 'decision');
  const state =
    action === 'hide' ? 'hidden_by_decision' : 'restored_by_decision';
  await tx.query(
    'UPDATE message SET visibility = $2, visibility_by = $3 WHERE id = $1',
    [ruling.id, state, row.id],
  );
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
