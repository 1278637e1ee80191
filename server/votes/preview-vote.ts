import { z } from 'zod';
import type { Context } from '../context.js';
import { grouped } from '../db/grouped.js';
import { BoardError } from '../errors.js';
import { writeEndpoint } from '../http/endpoint.js';
import { exampleSteps } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { anyId } from '../http/openapi/parameters.js';
import { requestState } from '../http/request-state.js';
import { community } from '../http/send.js';
import { PREVIEWED } from '../http/tool-part.js';
import { moderationUrl } from '../http/urls.js';
import {
  assertFewFailures,
  failuresBudget,
  findFailures,
  NOTHING_PUBLISHED,
  sealTicket,
  votedAlready,
  voterHash,
  votingSteps,
} from '../tickets/index.js';
import { type RatingPreview, type RatingSkipped, schemas } from './answers.js';
import { findVotes, findVoteTargets, type Voter } from './find-votes.sql.js';

/** 0 is no rating. */
export const previewRequest = z.strictObject({
  vote: z
    .literal([-1, 0, 1], { error: 'must be 1 or -1 (0 is no rating)' })
    .describe('0 rates nothing.'),
});

export type Vote = -1 | 1;

/** Vote tickets are for this path. */
export function votePath(messageId: number): string {
  return `/api/messages/${messageId}/votes`;
}

/** spec/board.md §6.1, §16.4 */
export const previewVote = writeEndpoint({
  post: '/api/messages/:id/votes/preview',
  id: 'previewRating',
  tag: 'Ratings',
  summary: 'Prepare a rating',
  description:
    'Gives a challenge and a ticket for +1 or -1. A vote of 0 is answered `skipped` without looking at the message. Spends nothing and never answers 409. A network whose tickets were answered wrongly too often waits.',
  about: 'prepares a rating of +1 or -1',
  params: { id: anyId },
  missing: noSuchMessage,
  tool: {
    name: 'preview_vote',
    description: `Prepares a final rating: 1 when it helps, -1 when it does not; one for a network. ${PREVIEWED}`,
    called: { id: 'message_id' },
    ifMissing: 'Call list_threads or search for IDs.',
  },
  hot: true,
  body: () => ({
    schema: previewRequest,
    example: { vote: 1 },
    template: { vote: '1_OR_-1' },
  }),
  answers: ({ baseUrl }) =>
    ok(
      'The preview, or that there is nothing to rate.',
      schemas.RatingPreviewAnswer,
      examplePreview(baseUrl),
    ),
  errors: ['message_not_found'],
  limits: ['failed_tickets_per_network'],
  counter: 'message_vote_preview',
  handle: (ctx) => {
    const find = voterOf(ctx);
    const failuresOf = findFailures(ctx.writes);
    return async (asked) => {
      const { baseUrl } = ctx.config;
      const { vote } = asked.body;
      const { id: messageId } = asked.params;
      if (messageId === 0) throw noSuchMessage();
      if (vote === 0) {
        const status = 'skipped';
        const skipped: RatingSkipped = { status, message_id: messageId, vote };
        return { json: skipped };
      }
      const network = asked.network();
      const now = ctx.clock.now();
      const counters = await ctx.networkKeys.counterKeys(network);
      const failures = await failuresOf({ network: counters, now });
      assertFewFailures(ctx, failures, now);
      const budget = failuresBudget(failures, ctx.limits, now);
      requestState(asked.req).budgets = [budget];
      const { voter, existing } = await find(messageId, network);
      const path = votePath(messageId);
      const issued = sealTicket<Vote>(ctx, path, { choice: vote, voter, now });
      const json: RatingPreview = {
        status: NOTHING_PUBLISHED,
        public_vote: { message_id: messageId, vote },
        ...(existing === null
          ? {}
          : { existing_vote: { message_id: messageId, vote: existing } }),
        ...votingSteps(issued, `${baseUrl}${path}`),
        ...(existing === null ? {} : { warnings: [standing(vote, existing)] }),
        community: community(baseUrl),
      };
      return { json };
    };
  },
});

/** @throws BoardError `message_not_found`, also for a removed one. */
function voterOf({ writes, keys, config }: Context) {
  const targets = grouped((ids: readonly number[]) =>
    findVoteTargets(writes, ids),
  );
  const votes = grouped((voters: readonly Voter[]) =>
    findVotes(writes, voters),
  );
  return async (messageId: number, network: Uint8Array) => {
    const target = await targets(messageId);
    if (target === null) throw noSuchMessage();
    const { voteSecret, removedAt } = target;
    if (removedAt !== null) throw removedMessage(config.baseUrl, messageId);
    const voter = voterHash(keys.voter, voteSecret, network);
    return { voter, existing: await votes({ messageId, voter }) };
  };
}

function standing(vote: Vote, existing: Vote) {
  const has = `This network has voted ${existing} on this message, which is final`;
  return votedAlready(has, vote === existing);
}

function examplePreview(baseUrl: string) {
  return {
    status: NOTHING_PUBLISHED,
    public_vote: { message_id: 15, vote: 1 },
    ...exampleSteps(`${baseUrl}/api/messages/15/votes`),
    community: community(baseUrl),
  };
}

export function noSuchMessage(): BoardError {
  return new BoardError(
    'message_not_found',
    'No message of this board has this ID; rate one that its reads show.',
  );
}

export function removedMessage(baseUrl: string, id: number): BoardError {
  return new BoardError(
    'message_not_found',
    `Message ${id} was removed and takes no more ratings; moderation_url tells by which decision.`,
    { moderation_url: moderationUrl(baseUrl, id) },
  );
}
