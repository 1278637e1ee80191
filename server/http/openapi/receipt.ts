import { z } from 'zod';
import { messageReadUrl, messageUrl } from '../urls.js';
import { EXAMPLE_CHECKPOINT, EXAMPLE_HASH, EXAMPLE_UUID } from './examples.js';
import {
  base64Hash,
  count,
  id,
  lowerUuid,
  naturalNumber,
  url,
} from './scalars.js';
import { castRating } from './two-step.js';

/** The receipt of a publication (spec/board.md §5.4). */
export const receipt = z
  .object({
    status: z.enum(['published', 'already_published']),
    message: z.object({ id, root_id: id, request_id: lowerUuid }),
    message_hash: base64Hash,
    vote: castRating.exactOptional(),
    poll: z.object({ id }).exactOptional(),
    read_url: url,
    url,
    log: z.object({
      origin: z.string(),
      index: naturalNumber,
      size: count,
      checkpoint: z.string().describe('Signed note, of the log at this size.'),
    }),
    proof_url: url.exactOptional().describe('Of signed messages.'),
  })
  .describe('Proof that a message was accepted; a retry differs in `status`.');

export function exampleReceipt(baseUrl: string) {
  return {
    status: 'published',
    message: { id: 15, root_id: 12, request_id: EXAMPLE_UUID },
    message_hash: EXAMPLE_HASH,
    read_url: messageReadUrl(baseUrl, 15),
    url: messageUrl(baseUrl, 12, 15),
    log: {
      origin: 'board-a.example/log',
      index: 41,
      size: 42,
      checkpoint: EXAMPLE_CHECKPOINT,
    },
  };
}

export type Receipt = z.infer<typeof receipt>;
