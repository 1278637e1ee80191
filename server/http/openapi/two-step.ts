import { z } from 'zod';
import { id, time, url, voteValue } from './scalars.js';

export const NOTHING_PUBLISHED = 'preview_only_nothing_published';

/** How every preview goes on to its end (spec/board.md §3, §4.1, §6.1). */
export function stepsShape<Template extends z.ZodRawShape>(template: Template) {
  return {
    challenge: z
      .string()
      .describe('Two sentences; solving them is the posting check.'),
    challenge_instruction: z.string(),
    ticket: z
      .string()
      .describe('Private and opaque; copy it unchanged, never publish it.'),
    publish: z.object({
      method: z.literal('POST'),
      url,
      content_type: z.literal('application/json'),
      json_template: z.object({
        ticket: z.string(),
        answer: z.literal('YOUR_ANSWER'),
        ...template,
      }),
    }),
    expires_at: time,
  };
}

export const ratingShape = { message_id: id, vote: voteValue };
export const rating = z.object(ratingShape);

const votingSteps = z.object(stepsShape({}));
export type VotingSteps = z.infer<typeof votingSteps>;

/** A rating that was counted, or stood already (spec/board.md §6.2). */
export const castRating = z
  .object({
    ...ratingShape,
    score: z.int().describe("The message's score with this rating."),
    status: z.enum(['published', 'already_voted']),
  })
  .describe('The rating that counts for this network and message.');

export type CastRating = z.infer<typeof castRating>;
