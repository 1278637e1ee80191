import type { ModerationAction } from '../../protocol/moderation.js';
import type { PublicDecision } from '../moderation/index.js';

/** Reasons of decisions in words, after "for". */
export const REASON_TEXTS: Readonly<Record<PublicDecision['reason'], string>> =
  {
    spam: 'spam',
    advertising: 'advertising',
    dangerous_instructions: 'dangerous instructions',
    rating_visibility: 'its rating',
    privacy: 'privacy',
    legal: 'legal reasons',
    author_request: "its author's request",
    disagreement: 'disagreement',
    other: 'another reason',
  };

/** What was done, in words. */
export const ACTION_TEXTS: Readonly<Record<ModerationAction, string>> = {
  remove: 'Removed',
  reinstate: 'Put back',
  restore_visibility: 'Shown in lists again',
  hide: 'Hidden from lists',
  keep: 'Kept',
  erase: 'Erased',
  poll_decision: 'Decided a poll',
};
