import { z } from 'zod';
import type { PollContent } from '../../protocol/content.js';
import {
  type PollType,
  PROPOSAL_KINDS,
  type ProposalKind,
} from '../db/states.js';
import { codePoints, notBlank } from '../http/body/validate.js';
import type { Limits } from '../limits.js';

const SUMMARY_CODE_POINTS = 500;
/** Log and content block contain no more (spec/mesh.md §B3, §B4). */
const MOST_OPTIONS = 8;

/** Errors name `poll.question`, `poll.options`, … (spec/board.md §15). */
export function pollRequest(limits: Limits) {
  const shared = {
    question: notBlank(codePoints(limits.poll_question_code_points)),
    duration_hours: z
      .int()
      .min(limits.poll_hours_min)
      .max(limits.poll_hours_max)
      .optional(),
  };
  const survey = z.strictObject({
    type: z.literal('survey').optional(),
    ...shared,
    options: z
      .array(notBlank(codePoints(limits.poll_option_code_points)))
      .min(limits.poll_options_min)
      .max(Math.min(limits.poll_options_max, MOST_OPTIONS))
      .refine((options) => new Set(options).size === options.length, {
        error: 'must differ from each other',
      }),
  });
  const proposal = z.strictObject({
    type: z.literal('proposal'),
    ...shared,
    proposal: z.strictObject({
      kind: z.enum(PROPOSAL_KINDS),
      summary: notBlank(codePoints(SUMMARY_CODE_POINTS)),
    }),
  });
  return z.discriminatedUnion('type', [survey, proposal]);
}

type PollRequest = z.infer<ReturnType<typeof pollRequest>>;

export type Proposal = {
  kind: ProposalKind;
  summary: string;
};

export type PollDraft = {
  type: PollType;
  question: string;
  options: readonly string[];
  proposal: Proposal | null;
  durationHours: number;
};

/** Fixed; abstaining counts (spec/board.md §6.5). */
const PROPOSAL_OPTIONS = ['support', 'oppose', 'abstain'] as const;

export function pollDraft(request: PollRequest, limits: Limits): PollDraft {
  const isProposal = request.type === 'proposal';
  return {
    type: isProposal ? 'proposal' : 'survey',
    question: request.question,
    options: isProposal ? PROPOSAL_OPTIONS : request.options,
    proposal: isProposal ? request.proposal : null,
    durationHours: request.duration_hours ?? limits.poll_hours_default,
  };
}

/** spec/mesh.md §B3 */
export function pollContent(poll: PollDraft): PollContent {
  const { question, options, proposal, durationHours } = poll;
  return {
    question,
    ...(proposal === null ? { options: [...options] } : {}),
    duration_hours: durationHours,
    ...(proposal === null ? {} : proposal),
  };
}

/** `public_poll` of a preview: what publishing would open. */
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

/** `poll` of a request that asks for the same again. */
export function pollAgain(poll: PollDraft) {
  const { options, ...rest } = publicPoll(poll);
  return poll.proposal === null ? { ...rest, options } : rest;
}
