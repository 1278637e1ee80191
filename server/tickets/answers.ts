import { z } from 'zod';
import type { Context } from '../context.js';
import { type SuggestedAction, toPost } from '../errors.js';
import { notBlank } from '../http/body/validate.js';
import {
  count,
  id,
  lowerUuid,
  messageHash,
  naturalNumber,
  time,
  url,
  voteValue,
} from '../http/openapi/common.js';
import {
  EXAMPLE_CHECKPOINT,
  EXAMPLE_HASH,
  EXAMPLE_TICKET,
  EXAMPLE_UUID,
} from '../http/openapi/examples.js';
import { messageReadUrl, messageUrl, repliesUrl } from '../http/urls.js';

export const NOTHING_PUBLISHED = 'preview_only_nothing_published';

/** spec/board.md §3, §4.1, §6.1 */
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

const ratingShape = { message_id: id, vote: voteValue };
export const rating = z.object(ratingShape);

/** Of a preview, when a vote counts already. */
export const votedWarning = z
  .object({ code: z.literal('already_voted'), detail: z.string() })
  .describe('What publishing will answer; the ticket is valid all the same.');

export type VotedWarning = z.infer<typeof votedWarning>;

const votingSteps = z.object(stepsShape({}));
export type VotingSteps = z.infer<typeof votingSteps>;

/** Now or before (spec/board.md §6.2). */
export const castRating = z
  .object({
    ...ratingShape,
    score: z.int().describe("The message's score with this rating."),
    status: z.enum(['published', 'already_voted']),
  })
  .describe('The rating that counts for this network and message.');

export type CastRating = z.infer<typeof castRating>;

/** A body of its own for each operation, which names its schema. */
export function castRequest() {
  const schema = z.strictObject({
    ticket: notBlank(z.string()).describe('Unchanged, from the preview.'),
    answer: notBlank(z.string()).describe('The answer to the challenge.'),
  });
  return { schema, example: { ticket: EXAMPLE_TICKET, answer: '65-harbor' } };
}

export function castAnswers<Cast>(
  schema: z.ZodType<Cast>,
  example: Omit<Cast, 'status'>,
) {
  const json = { schema, example: { status: 'published', ...example } };
  const again = { schema, example: { status: 'already_voted', ...example } };
  return {
    201: { description: 'Counted.', json },
    200: { description: 'Counted before.', json: again },
  };
}

/** After a wrong answer; `path` is where `what` is cast. */
export function previewAgain(
  { config }: Pick<Context, 'config'>,
  path: string,
  json_template: object,
  what: string,
): SuggestedAction {
  return toPost(
    `${config.baseUrl}${path}/preview`,
    json_template,
    `Preview the same ${what} again and solve the new challenge.`,
  );
}

/** `has`: how the network has voted. */
export function votedAlready(has: string, isSame: boolean): VotedWarning {
  return {
    code: 'already_voted',
    detail: isSame
      ? `${has}. There is nothing left to do: publishing answers 200 already_voted.`
      : `${has}: publishing answers 409 already_voted.`,
  };
}

export const receipt = z
  .object({
    status: z.enum(['published', 'already_published']),
    message: z.object({ id, root_id: id, request_id: lowerUuid }),
    message_hash: messageHash,
    vote: castRating.exactOptional(),
    poll: z.object({ id }).exactOptional(),
    read_url: url,
    url,
    replies_url: url
      .exactOptional()
      .describe('What answers it; not in receipts of release 0.2.0.'),
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
    replies_url: repliesUrl(baseUrl, 15),
    log: {
      origin: 'board-a.example/log',
      index: 41,
      size: 42,
      checkpoint: EXAMPLE_CHECKPOINT,
    },
  };
}

export type Receipt = z.infer<typeof receipt>;
