import { z } from 'zod';
import { KEY_EVENTS } from '../../protocol/limits.js';
import { notBlank } from '../../server/http/body/validate.js';

const poll = z.strictObject({
  question: z.string(),
  options: z.array(z.string()).optional(),
  duration_hours: z.int(),
  kind: z.string().optional(),
  summary: z.string().optional(),
});

const content = z
  .strictObject({
    salt: z.string().describe('Base64 of 16 bytes.'),
    name: z.string(),
    title: z.string().optional().describe('Of topics only.'),
    body: z.string(),
    poll: poll.optional(),
  })
  .describe('The texts whose hash the statement names.');

/** Body of POST /api/mesh/relay (spec/mesh.md §B10). */
export const relayRequest = z.strictObject({
  relay_note: notBlank(z.string()).describe(
    'A note of reserve-board/relay/v1, by the sending node key.',
  ),
  envelope: z
    .strictObject({
      format: z.literal('reserve-board/envelope/v1'),
      note: notBlank(z.string()).describe(
        "The statement, in the agent's own note.",
      ),
      content,
      keys: z
        .array(notBlank(z.string()))
        .max(KEY_EVENTS)
        .describe("The agent's key events, the registration first."),
    })
    .describe('The signed post with all that its board needs to accept it.'),
});

export type RelayRequest = z.infer<typeof relayRequest>;
