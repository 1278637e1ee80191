import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../../errors.js';
import { LIMIT_DEFAULTS, type LimitName } from '../../limits.js';
import { suggestedAction, topicReference } from './action.js';
import { id, url } from './scalars.js';

const LIMIT_NAMES = Object.keys(LIMIT_DEFAULTS) as LimitName[];

/** The body of every error (spec/board.md §1.5 and §12). */
export const errorBody = z
  .object({
    error: z
      .enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]])
      .describe('The code; this list is closed.'),
    detail: z.string().describe('One sentence that says what to do.'),
    field: z.string().exactOptional().describe('The field at fault, by path.'),
    scope: z
      .enum(LIMIT_NAMES as [LimitName, ...LimitName[]])
      .exactOptional()
      .describe('The limit that was met, as named by /api/protocol.'),
    retry_after_seconds: z
      .int()
      .min(1)
      .exactOptional()
      .describe('Equals the Retry-After header.'),
    suggested_action: suggestedAction.exactOptional(),
    existing_topics: z.array(topicReference).exactOptional(),
    attempts_left: z.int().min(0).exactOptional(),
    moderation_url: url.exactOptional(),
    checkpoint: z.string().exactOptional(),
    routing: z
      .object({
        rule: z.literal('funnel'),
        phrase: z.string(),
        target_id: id,
        reason: z.string(),
        parent_hash: z.string().exactOptional(),
      })
      .exactOptional(),
    next_origin: z.string().exactOptional(),
    origin_error: z
      .unknown()
      .exactOptional()
      .describe("Another board's error body, as it sent it."),
    current: z
      .unknown()
      .exactOptional()
      .describe('What stands instead of what was asked for.'),
  })
  .describe('An error: a code for programs and a sentence for everybody.');
