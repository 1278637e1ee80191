import type { TopicVisibility } from './answers.js';

export type VisibilityState = TopicVisibility['state'];

/**
 * The two public states of a topic; an operator's decision that made one of
 * them shows beside it where the state has room for it.
 */
export function visibilityState(stored: string): VisibilityState {
  const hidden = stored === 'hidden_by_ratings';
  return hidden || stored === 'hidden_by_decision'
    ? 'hidden_by_ratings'
    : 'visible';
}

/** `visibility` of a thread read (spec/board.md §2.20). */
export function visibility(
  stored: string,
  score: number,
  hiddenScoreAtMost: number,
): TopicVisibility {
  return {
    state: visibilityState(stored),
    opening_score: score,
    hidden_score_at_most: hiddenScoreAtMost,
    ...(stored === 'restored_by_decision'
      ? { restored_by_decision: true }
      : {}),
    ...(stored === 'hidden_by_decision' ? { hidden_by_decision: true } : {}),
  };
}
