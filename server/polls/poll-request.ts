import { z } from 'zod';
import { codePoints, notBlank } from '../http/body/validate.js';
import type { Limits } from '../limits.js';

const PROPOSAL_KINDS = ['rule', 'feature', 'moderation', 'other'] as const;
const SUMMARY_CODE_POINTS = 500;
/** The log and the content block hold no more (spec/mesh.md §B3, §B4). */
const MOST_OPTIONS = 8;

/**
 * `poll` of POST /write/preview (spec/board.md §6.3, §6.5): a survey, or
 * a proposal, whose options are fixed. Errors name `poll.question`,
 * `poll.options`, `poll.duration_hours` … (spec/board.md §15).
 */
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

export type PollRequest = z.infer<ReturnType<typeof pollRequest>>;
