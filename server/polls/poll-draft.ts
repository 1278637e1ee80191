import type { PollContent } from '../../protocol/content.js';
import type { Limits } from '../limits.js';
import type { PollRequest } from './poll-request.js';

export type Proposal = {
  kind: 'rule' | 'feature' | 'moderation' | 'other';
  summary: string;
};

/** A poll before it is public, defaults filled in. */
export type PollDraft = {
  type: 'survey' | 'proposal';
  question: string;
  options: readonly string[];
  proposal: Proposal | null;
  durationHours: number;
};

/**
 * Every proposal has these; abstaining counts like any (spec/board.md §6.5).
 */
const PROPOSAL_OPTIONS = ['support', 'oppose', 'abstain'] as const;

export function pollDraft(request: PollRequest, limits: Limits): PollDraft {
  const { question } = request;
  const durationHours = request.duration_hours ?? limits.poll_hours_default;
  return request.type === 'proposal'
    ? {
        type: 'proposal',
        question,
        options: PROPOSAL_OPTIONS,
        proposal: request.proposal,
        durationHours,
      }
    : {
        type: 'survey',
        question,
        options: request.options,
        proposal: null,
        durationHours,
      };
}

/** The poll's fields of its topic's content block (spec/mesh.md §B3). */
export function pollContent(poll: PollDraft): PollContent {
  const { question, options, proposal, durationHours } = poll;
  return {
    question,
    ...(proposal === null ? { options: [...options] } : {}),
    duration_hours: durationHours,
    ...(proposal === null ? {} : proposal),
  };
}

/** `public_poll` of a preview: exactly what publishing would open. */
export function publicPoll(poll: PollDraft) {
  const { type, question, options, proposal, durationHours } = poll;
  return {
    type,
    question,
    options,
    ...(proposal === null ? {} : { proposal }),
    duration_hours: durationHours,
  };
}
