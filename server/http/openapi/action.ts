import { z } from 'zod';
import { id, url } from './scalars.js';

/** A request ready to be filled in and sent (spec/board.md §1.5). */
export const suggestedAction = z
  .object({
    method: z.string(),
    url,
    content_type: z.string().exactOptional(),
    json_template: z
      .unknown()
      .exactOptional()
      .describe('The JSON body, with placeholders in capitals.'),
    instruction: z.string(),
  })
  .describe('What to do next, ready to send once its placeholders are filled.');

/** A topic that is named instead of a new one. */
export const topicReference = z.object({
  id,
  title: z.string(),
  url,
  read_url: url,
});
