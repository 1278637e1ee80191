import { REMOVE_REASONS } from './entry/types.js';

/**
 * The words of decisions and reports (spec/operators.md §2.1, §2.4;
 * spec/board.md §7), for the server and for the operators' browser alike.
 */
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

/** Disagreement is a reason too, but never of a removal. */
export const MODERATION_REASONS = [...REMOVE_REASONS, 'disagreement'] as const;
export type ModerationReason = (typeof MODERATION_REASONS)[number];

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

/** What a report names; what a decision names is `MODERATION_REASONS`. */
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

/** Of an explanation and of a private note, in code points. */
export const EXPLANATION_MAX = 2000;
/** Of an operator's public alias, in code points. */
export const ALIAS_MAX = 48;
