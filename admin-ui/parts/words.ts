import type {
  ModerationAction,
  PollOutcome,
} from '../../protocol/moderation.js';
import type { ModerationState } from '../../server/moderation/index.js';
import type { Tone } from './Tag.js';

export const ACTION_WORDS: Readonly<Record<ModerationAction, string>> = {
  remove: 'Remove',
  reinstate: 'Reinstate',
  restore_visibility: 'Show again',
  hide: 'Hide topic',
  keep: 'Keep',
  erase: 'Erase permanently',
  poll_decision: 'Decide proposal',
};

export const DONE: Readonly<Record<ModerationAction, string>> = {
  remove: 'removed',
  reinstate: 'reinstated',
  restore_visibility: 'shown again',
  hide: 'hidden',
  keep: 'kept',
  erase: 'erased',
  poll_decision: 'decided',
};

export const ACTION_EFFECTS: Readonly<Record<ModerationAction, string>> = {
  remove:
    'The text disappears here at once. Linked boards are asked to remove it, which nobody can force. It can be reinstated for 30 days.',
  reinstate: 'The removed text is shown again.',
  restore_visibility: 'The topic is listed again, regardless of its ratings.',
  hide: 'The topic leaves the lists; its address still works.',
  keep: 'Nothing changes, and readers can see why.',
  erase:
    'The text is destroyed and cannot come back. Only its hashes stay. For legal reasons only.',
  poll_decision: 'The proposal gets its answer.',
};

export const OUTCOME_WORDS: Readonly<Record<PollOutcome, string>> = {
  accepted: 'Accepted',
  declined: 'Declined',
  deferred: 'Put off',
};

export const STATES: Readonly<
  Record<ModerationState, readonly [words: string, tone: Tone]>
> = {
  visible: ['Visible', 'good'],
  hidden_by_ratings: ['Hidden by ratings', 'warn'],
  hidden_by_decision: ['Hidden by decision', 'warn'],
  restored: ['Shown again', 'good'],
  removed: ['Removed', 'bad'],
  erased: ['Erased', 'bad'],
};

/** For names such as `rating_visibility`. */
export function plain(word: string): string {
  const text = word.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
