import { z } from 'zod';
import { communitySchema, id } from '../http/openapi/common.js';
import {
  NOTHING_PUBLISHED,
  rating,
  stepsShape,
  votedWarning,
} from '../tickets/index.js';

const preview = z
  .object({
    status: z.literal(NOTHING_PUBLISHED),
    public_vote: rating,
    existing_vote: rating.exactOptional().describe('Stands, and is final.'),
    ...stepsShape({}),
    warnings: z.array(votedWarning).min(1).exactOptional(),
    community: communitySchema,
  })
  .describe('A rating ready to be cast; nothing counts yet.');

const skipped = z
  .object({
    status: z.literal('skipped'),
    message_id: id,
    vote: z.literal(0),
  })
  .describe('A vote of 0 rates nothing and needs no ticket.');

export type RatingPreview = z.infer<typeof preview>;
export type RatingSkipped = z.infer<typeof skipped>;

export const schemas = {
  RatingPreview: preview,
  RatingSkipped: skipped,
  RatingPreviewAnswer: z.union([preview, skipped]),
};
