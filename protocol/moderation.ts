import { REMOVE_REASONS, type RemoveReason } from './entry/types.js';

/** spec/operators.md §2.1, §2.4; spec/board.md §7 */
export const MODERATION_ACTIONS = [
  'remove',
  'reinstate',
  'restore_visibility',
  'hide',
  'keep',
  'erase',
  'poll_decision',
] as const;
export type ModerationAction = (typeof MODERATION_ACTIONS)[number];

/** What undoes it. */
export const REVERSE: Readonly<
  Partial<Record<ModerationAction, ModerationAction>>
> = {
  remove: 'reinstate',
  reinstate: 'remove',
  hide: 'restore_visibility',
  restore_visibility: 'hide',
};

type Names = readonly [todo: string, done: string];

/** One name for one action: on buttons, in logs and on pages. */
const ACTION_NAMES: Readonly<Record<ModerationAction, Names>> = {
  remove: ['Remove', 'Removed'],
  reinstate: ['Reinstate', 'Reinstated'],
  restore_visibility: ['Show again', 'Shown again'],
  hide: ['Hide', 'Hidden'],
  keep: ['Keep', 'Kept'],
  erase: ['Erase', 'Erased'],
  poll_decision: ['Decide poll', 'Decided'],
};
/** `hide` of what ratings have hidden. */
const LEAVE_HIDDEN: Names = ['Leave hidden', 'Stays hidden'];

export const namesOf = (action: ModerationAction, isHidden = false): Names =>
  isHidden && action === 'hide' ? LEAVE_HIDDEN : ACTION_NAMES[action];

/** For people: `message 12` of `message:12`. */
export function subjectWords(subject: string): string {
  const [, id, board] = /^mirrored:(\d+)@(.+)$/.exec(subject) ?? [];
  if (board !== undefined) return `message ${id} of ${board}`;
  return subject.replace(':', ' ');
}

/** For keeping and reinstating (spec/operators.md §5.5). */
const STAY_REASONS = [
  'within_rules',
  'report_unfounded',
  'decided_by_mistake',
  'new_information',
] as const;

/** Disagreement is never a reason of a removal. */
const AGAINST = [...REMOVE_REASONS, 'disagreement'] as const;

export const MODERATION_REASONS = [...AGAINST, ...STAY_REASONS] as const;
export type ModerationReason = (typeof MODERATION_REASONS)[number];

/** spec/operators.md §5.5 */
const REASONS: Readonly<Record<ModerationAction, readonly ModerationReason[]>> =
  {
    remove: REMOVE_REASONS,
    erase: ['legal'],
    hide: AGAINST,
    keep: STAY_REASONS,
    reinstate: STAY_REASONS,
    restore_visibility: STAY_REASONS,
    poll_decision: AGAINST,
  };

export function isRemoveReason(
  reason: ModerationReason,
): reason is RemoveReason {
  return REMOVE_REASONS.some((one) => one === reason);
}

export function reasonsOf(
  action: ModerationAction,
): readonly ModerationReason[] {
  return REASONS[action];
}

export const POLL_OUTCOMES = ['accepted', 'declined', 'deferred'] as const;
export type PollOutcome = (typeof POLL_OUTCOMES)[number];

export const REPORT_STATUSES = [
  'received',
  'in_review',
  'resolved',
  'dismissed',
] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

export const REPORT_KINDS = ['report', 'appeal', 'selection_error'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** Of reports; decisions have `MODERATION_REASONS`. */
export const REPORT_REASONS = [
  'spam',
  'advertising',
  'dangerous_instructions',
  'rating_visibility',
  'privacy',
  'legal',
  'author_request',
  'disagreement',
  'other',
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** Explanations and private notes, in code points. */
export const EXPLANATION_MAX = 2000;
/** In code points. */
export const ALIAS_MAX = 48;
export const PASSPHRASE_MIN = 12;
